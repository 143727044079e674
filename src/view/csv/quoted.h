// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "base/utf8.h"

namespace hm::csv {

// Returns the name as a UTF-8 field of RFC 4180, quoted if necessary.
inline std::string quoted(std::string_view name) {
  std::string text = utf8(name);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char each : text) quoted.append(each == '"' ? 2 : 1, each);
  return quoted + '"';
}

}  // namespace hm::csv
