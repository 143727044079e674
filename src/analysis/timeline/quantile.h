// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace hm::timeline {

// Rank of what almost all of the numbers stay below.
inline constexpr double kAlmostAll = 0.99;

// Returns the number at `rank`, a fraction from 0 to below 1. Reorders the numbers, which must not be empty.
template <typename Number>
[[nodiscard]] Number quantile(std::vector<Number>& numbers, double rank) {
  auto element = numbers.begin() + static_cast<std::ptrdiff_t>(static_cast<double>(numbers.size()) * rank);
  std::ranges::nth_element(numbers, element);
  return *element;
}

}  // namespace hm::timeline
