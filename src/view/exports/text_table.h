// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hm::exports {

// Numbers for texts that are referred to by number, in the order in which they appear; "" is the first, 0, as
// the formats that have such tables want it. A serialized message is such a text, too.
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
