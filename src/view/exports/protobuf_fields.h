// SPDX-License-Identifier: MIT
// Decoder for protocol buffer messages, for tests.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hm::exports {

using Fields = std::multimap<uint64_t, std::string>;

// Returns the fields of a message: numbers as decimal text, other fields unchanged.
inline Fields fields_of(std::string_view message) {
  auto number = [&] {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      auto byte = static_cast<uint8_t>(message.front());
      message.remove_prefix(1);
      value |= uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
  };
  Fields fields;
  while (!message.empty()) {
    uint64_t tag = number();
    uint64_t value = number();
    if ((tag & 7) == 0) {
      fields.emplace(tag >> 3, std::to_string(value));
      continue;
    }
    fields.emplace(tag >> 3, message.substr(0, value));
    message.remove_prefix(value);
  }
  return fields;
}

inline std::vector<std::string> all_of(const Fields& fields, uint64_t field) {
  std::vector<std::string> values;
  for (auto [at, end] = fields.equal_range(field); at != end; ++at) values.push_back(at->second);
  return values;
}

}  // namespace hm::exports
