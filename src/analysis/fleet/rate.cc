// SPDX-License-Identifier: MIT
#include "analysis/fleet/rate.h"

#include <algorithm>
#include <cmath>

#include "base/student_t.h"

namespace hm::fleet {

std::optional<Interval> Rate::limits() const {
  if (!variance) return std::nullopt;
  double half = student_t(degrees) * std::sqrt(*variance);
  return Interval{std::max(value - half, 0.0), value + half};
}

std::optional<Rate> rate_of(const store::Group& part, const store::Group& whole) {
  if (whole.load <= 0) return std::nullopt;
  Rate rate;
  rate.value = part.count / whole.load;
  if (whole.batches < 2) return rate;
  auto n = static_cast<double>(whole.batches);
  double squares =
      part.count_squares - 2 * rate.value * part.products + rate.value * rate.value * whole.load_squares;
  double between = n / (n - 1) * std::max(squares, 0.0);
  // What a sample stands for; where the part has none, as in the whole.
  const store::Group& sampled = part.samples != 0 ? part : whole;
  double period = sampled.samples != 0 ? sampled.count / static_cast<double>(sampled.samples) : 0;
  double poisson = period * period * std::max(static_cast<double>(part.samples), 1.0);
  rate.variance = std::max(between, poisson) / (whole.load * whole.load);
  rate.degrees = n - 1;
  return rate;
}

std::optional<Interval> difference_limits(const Rate& before, const Rate& after) {
  if (!before.variance || !after.variance) return std::nullopt;
  double a = *before.variance, b = *after.variance, sum = a + b;
  // Welch's degrees of freedom.
  double degrees = sum > 0 ? sum * sum / (a * a / before.degrees + b * b / after.degrees) : 1;
  double difference = after.value - before.value, half = student_t(degrees) * std::sqrt(sum);
  return Interval{difference - half, difference + half};
}

}  // namespace hm::fleet
