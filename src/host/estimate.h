// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace hm::host {

// A median with a confidence interval of at least 95 % from its order statistics (David and Nagaraja, "Order
// Statistics", 7.1). For few values the interval extends from the minimum to the maximum.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
};

// `values` must not be empty.
[[nodiscard]] Estimate median_of(std::vector<double> values);

}  // namespace hm::host
