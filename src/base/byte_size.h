// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hm {

// Parses "48K", "2M", "1G" or "4096" (bytes); the units are powers of 1024. Returns nullopt for any other
// text, for 0, and for more than 1 TiB.
[[nodiscard]] std::optional<uint64_t> parse_byte_size(std::string_view text);

// Parses sizes separated by commas, for example "48K,12,64". Returns nullopt if one of them is invalid or
// there are more than `most`.
[[nodiscard]] std::optional<std::vector<uint64_t>> parse_byte_sizes(std::string_view text, size_t most);

// Returns "48 KiB", "2 MiB" or "100 bytes": the size in the largest unit (up to MiB) that divides it exactly.
[[nodiscard]] std::string byte_size_text(uint64_t bytes);

}  // namespace hm
