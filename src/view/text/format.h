// SPDX-License-Identifier: MIT
// Formatting of numbers and names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "profile/time_axis.h"

namespace hm::text {

// Placeholder for a number that was not measured.
inline constexpr const char* kNotMeasured = "-";

// Returns for example "1,234,567".
[[nodiscard]] std::string grouped(uint64_t number);
// Returns for example "1 process" or "1,234 processes".
[[nodiscard]] std::string count_of(uint64_t number, std::string_view singular, std::string_view plural);
// Returns for example "12.3%". `share` is between 0 and 1.
[[nodiscard]] std::string percent(double share);
// Returns three significant digits, for example "12.3 MiB".
[[nodiscard]] std::string bytes_text(double bytes);
// Returns for example "1.25 ms".
[[nodiscard]] std::string duration_text(double ns);
// Formats an amount of time on a time axis, for example "1.25 ms" or "1.25 Mcycles".
[[nodiscard]] std::string time_text(double amount, profile::TimeUnit unit);
// Returns the number of terminal columns of UTF-8 text (base/characters.h).
[[nodiscard]] size_t columns_of(std::string_view text);
// Returns the longest prefix that is at most `columns` wide.
[[nodiscard]] std::string begun(std::string_view text, size_t columns);
// Returns the text at most `columns` wide. Text that is too long loses its middle: "std::vec…push_back".
// Never cuts a character, and no combining character loses the one that it belongs to.
[[nodiscard]] std::string elided(std::string_view text, size_t columns);
// Returns the text of a column for a terminal. A terminal that writes Hebrew or Arabic from right to left
// would also move the numbers and columns behind it (UAX 9); a mark (U+200E), which needs no column, prevents
// this.
[[nodiscard]] std::string in_columns(std::string text);
// Breaks text at spaces into lines at most `columns` wide (0: no limit). Lines after the first are indented
// by `indent`. A word that is too wide gets its own line and extends beyond the limit.
[[nodiscard]] std::string wrapped(std::string_view text, size_t columns, size_t indent);
// Escapes control characters ("\x1b"), which a recording may contain and a terminal would obey, and replaces
// invalid UTF-8 by '?'.
[[nodiscard]] std::string printable(std::string_view text);
// Escapes each line of a text, and breaks it as wrapped() does; later parts of a line are indented by 4.
[[nodiscard]] std::string printable_lines(std::string_view text, size_t columns = 0);

}  // namespace hm::text
