// SPDX-License-Identifier: MIT
// Names in a recording may be any bytes: what formats take of them.
#pragma once

#include <string>
#include <string_view>

namespace hm::exports {

// What is not UTF-8 becomes U+FFFD.
[[nodiscard]] std::string utf8(std::string_view text);

// Likewise, and control characters, line feeds among them, become blanks.
[[nodiscard]] std::string one_line(std::string_view text);

// As a string of JSON, in quotes.
[[nodiscard]] std::string json_text(std::string_view text);

}  // namespace hm::exports
