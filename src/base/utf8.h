// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace hm {

// Returns the text with invalid UTF-8 replaced by U+FFFD, as json_line() does. Names of threads, files and
// symbols may hold any bytes; all output formats for other programs use this function.
[[nodiscard]] std::string utf8(std::string_view text);

}  // namespace hm
