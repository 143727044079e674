// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace hm::csv {

// A field, as RFC 4180 has it.
inline std::string quoted(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (char each : text) quoted.append(each == '"' ? 2 : 1, each);
  return quoted + '"';
}

}  // namespace hm::csv
