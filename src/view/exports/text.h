// SPDX-License-Identifier: MIT
// Conversion of names in a recording, which may contain any bytes, to valid text.
#pragma once

#include <string>
#include <string_view>

namespace hm::exports {

// Replaces invalid UTF-8 by U+FFFD, and escapes control characters, including line feeds ("\x0a").
[[nodiscard]] std::string one_line(std::string_view text);

// Returns the text as a quoted JSON string.
[[nodiscard]] std::string json_text(std::string_view text);

}  // namespace hm::exports
