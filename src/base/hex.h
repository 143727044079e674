// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
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

}  // namespace hm
