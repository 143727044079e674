// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace hm::host {

// A median with a confidence interval of at least 95 % that its order statistics give (David and Nagaraja,
// "Order Statistics", 7.1): of few values the interval is from the least to the greatest.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
};

// Of at least one value.
[[nodiscard]] Estimate median_of(std::vector<double> values);

}  // namespace hm::host
