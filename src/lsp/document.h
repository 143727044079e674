// SPDX-License-Identifier: MIT
// Files and positions as the Language Server Protocol has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hm::lsp {

// Returns the path of a "file:" URI of this machine; nullopt for any other URI, and if the path has a NUL.
[[nodiscard]] std::optional<std::string> path_of_uri(std::string_view uri);

// Returns the number of UTF-16 code units of UTF-8 text. An invalid byte counts as one.
[[nodiscard]] size_t utf16_units(std::string_view text);

// Columns, in UTF-16 code units.
struct Span {
  size_t begin = 0, end = 0;
};
// Returns where the line's text is, without the blanks around it. `line` counts from 1; nullopt if the text
// has fewer lines. Lines end at "\n", "\r\n" or "\r".
[[nodiscard]] std::optional<Span> span_of_line(std::string_view text, uint32_t line);

}  // namespace hm::lsp
