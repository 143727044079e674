// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hm {

// "48K", "2M", "1G" or "4096", each unit 1024 of the one before; at most 1 TiB. Nothing for all else, and for
// 0.
[[nodiscard]] std::optional<uint64_t> parse_byte_size(std::string_view text);

// "48K,12,64": at most `most` of them, with commas between. Nothing where one is none, or there are more.
[[nodiscard]] std::optional<std::vector<uint64_t>> parse_byte_sizes(std::string_view text, size_t most);

// "48 KiB", "2 MiB", "100 bytes": in the greatest unit (up to MiB) of which it is a whole number.
[[nodiscard]] std::string byte_size_text(uint64_t bytes);

}  // namespace hm
