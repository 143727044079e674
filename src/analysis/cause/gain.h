// SPDX-License-Identifier: MIT
// Arithmetic that gains of several patterns share.
#pragma once

#include <algorithm>
#include <cstdint>

namespace hm::cause {

// Fraction of a place's misses above which their class, or a fact about them, decides the advice.
inline constexpr double kDecides = 0.5;

// Returns the fraction of the cost saved if `needed` bytes are fetched instead of `now` bytes.
[[nodiscard]] inline double saved(uint64_t needed, uint64_t now) {
  return std::max(0.0, 1 - static_cast<double>(needed) / static_cast<double>(now));
}

}  // namespace hm::cause
