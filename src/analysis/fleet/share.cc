// SPDX-License-Identifier: MIT
#include "analysis/fleet/share.h"

#include <algorithm>
#include <cmath>

#include "base/student_t.h"

namespace hm::fleet {

std::optional<Rate> share_of(const store::Group& part, const store::Group& whole) {
  if (whole.load <= 0 || whole.samples == 0) return std::nullopt;
  double p = std::clamp(part.count / whole.load, 0.0, 1.0);
  Rate share{p, std::nullopt};
  if (whole.batches < 2) return share;
  auto n = static_cast<double>(whole.batches), samples = static_cast<double>(whole.samples);
  double squares = part.count_squares - 2 * p * part.products + p * p * whole.load_squares;
  double variance = n / (n - 1) * std::max(squares, 0.0) / (whole.load * whole.load);
  double m = variance > 0 ? std::min(samples, p * (1 - p) / variance) : samples;
  if (m <= 0) m = std::min(samples, n);  // the share is 0 or 1: the variance is 0 except for rounding errors
  double z = student_t(n - 1), z2 = z * z, middle = (p + z2 / (2 * m)) / (1 + z2 / m);
  double half = z / (1 + z2 / m) * std::sqrt(p * (1 - p) / m + z2 / (4 * m * m));
  share.limits = Interval{std::max(middle - half, 0.0), std::min(middle + half, 1.0)};
  return share;
}

}  // namespace hm::fleet
