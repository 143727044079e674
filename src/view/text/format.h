// SPDX-License-Identifier: MIT
// How numbers and names look.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hm::text {

// In place of a number that was not measured.
inline constexpr const char* kNotMeasured = "-";

// "1,234,567".
[[nodiscard]] std::string grouped(uint64_t number);
// "1 process" or "1,234 processes".
[[nodiscard]] std::string count_of(uint64_t number, std::string_view singular, std::string_view plural);
// "12.3%" of a share between 0 and 1.
[[nodiscard]] std::string percent(double share);
// To three digits: "12.3 MiB".
[[nodiscard]] std::string bytes_text(double bytes);
// How many columns a terminal needs for UTF-8 text: one a code point.
[[nodiscard]] size_t columns_of(std::string_view text);
// At most `columns` wide: what is too long loses its middle, "std::vec…push_back". Never cuts a code point.
[[nodiscard]] std::string elided(std::string_view text, size_t columns);
// Lines at most `columns` wide (0: any), broken at spaces; those after the first are indented by `indent`. A
// word that is wider stands alone, and sticks out.
[[nodiscard]] std::string wrapped(std::string_view text, size_t columns, size_t indent);
// A C++ function's name without what it returns, its template arguments and its parameters:
// "std::map::operator[]". Of others as it is.
[[nodiscard]] std::string short_name(std::string_view function);
// Control characters and broken UTF-8, which a recording may hold, as '?': a terminal would obey them.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace hm::text
