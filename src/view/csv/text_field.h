// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "base/characters.h"

namespace hm::csv {

// Returns the name as a UTF-8 field of RFC 4180, quoted if necessary, with control characters escaped: a
// field is one line.
inline std::string text_field(std::string_view name) {
  std::string text = escaped(name);
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char each : text) quoted.append(each == '"' ? 2 : 1, each);
  return quoted + '"';
}

}  // namespace hm::csv
