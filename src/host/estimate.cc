// SPDX-License-Identifier: MIT
#include "host/estimate.h"

#include <algorithm>
#include <cmath>

namespace hm::host {

Estimate median_of(std::vector<double> values) {
  std::ranges::sort(values);
  size_t count = values.size();
  auto size = static_cast<double>(count);
  double rank = std::floor((size - 1.96 * std::sqrt(size)) / 2);  // counted from 1; the normal approximation
  size_t cut = rank >= 1 ? static_cast<size_t>(rank) - 1 : 0;
  double middle = (values[(count - 1) / 2] + values[count / 2]) / 2;
  return {middle, values[cut], values[count - 1 - cut]};
}

}  // namespace hm::host
