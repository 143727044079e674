// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hm::exports {

// Numbers distinct strings in the order in which they appear. The empty string has number 0, as formats with
// string tables require. A string may also be a serialized message.
class TextTable {
 public:
  uint64_t number_of(std::string_view text) {
    auto [found, is_new] = numbers_.try_emplace(std::string(text), texts_.size());
    if (is_new) texts_.push_back(&found->first);
    return found->second;
  }
  [[nodiscard]] const std::vector<const std::string*>& texts() const { return texts_; }

 private:
  std::map<std::string, uint64_t> numbers_{{"", 0}};
  std::vector<const std::string*> texts_{&numbers_.begin()->first};
};

}  // namespace hm::exports
