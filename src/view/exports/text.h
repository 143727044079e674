// SPDX-License-Identifier: MIT
// Names in a recording may be any bytes: what formats take of them.
#pragma once

#include <string>
#include <string_view>

namespace hm::exports {

// As utf8() in base/utf8.h, with blanks in place of control characters, line feeds among them.
[[nodiscard]] std::string one_line(std::string_view text);

// As a string of JSON, in quotes.
[[nodiscard]] std::string json_text(std::string_view text);

}  // namespace hm::exports
