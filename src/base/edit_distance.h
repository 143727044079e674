// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace hm {

// Levenshtein distance, for "did you mean".
[[nodiscard]] size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace hm
