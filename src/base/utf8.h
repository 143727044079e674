// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace hm {

// Returns the text with U+FFFD in place of what is not UTF-8, as json_line() writes it. Names of threads,
// files and symbols may be any bytes; every format for other programs takes them by this rule.
[[nodiscard]] std::string utf8(std::string_view text);

}  // namespace hm
