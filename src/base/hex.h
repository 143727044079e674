// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"

namespace hm {

// Returns two lower-case hexadecimal digits for each byte.
[[nodiscard]] std::string hex_of(Bytes bytes);

// Returns the bytes that `digits` encodes as pairs of hexadecimal digits; nullopt if `digits` holds anything
// else.
[[nodiscard]] std::optional<std::vector<std::byte>> bytes_of_hex(std::string_view digits);

// Returns the number whose hexadecimal digits `text` has, with or without "0x" before them; nullopt if `text`
// holds anything else, or a number above 64 bits.
[[nodiscard]] std::optional<uint64_t> hex_number(std::string_view text);

}  // namespace hm
