// SPDX-License-Identifier: MIT
#include "analysis/fleet/rate.h"

#include <algorithm>
#include <cmath>

#include "base/student_t.h"

namespace hm::fleet {

std::optional<Rate> rate_of(const store::Group& part, const store::Group& whole) {
  if (whole.load <= 0) return std::nullopt;
  Rate rate;
  rate.value = part.count / whole.load;
  bool is_sampled = whole.samples != 0;
  if (whole.batches < 2 || (!is_sampled && part.count == 0)) return rate;
  auto n = static_cast<double>(whole.batches);
  double samples = is_sampled ? static_cast<double>(part.samples) : HUGE_VAL;
  double squares =
      part.count_squares - 2 * rate.value * part.products + rate.value * rate.value * whole.load_squares;
  double variance = n / (n - 1) * std::max(squares, 0.0);  // variance of the count
  double effective = variance > 0 ? std::min(samples, part.count * part.count / variance) : samples;
  if (effective == HUGE_VAL) {  // equal in all batches
    rate.limits = Interval{rate.value, rate.value};
    return rate;
  }
  // Rate per effective sample; if the part has none, per sample of the whole.
  double each =
      effective > 0 ? rate.value / effective : whole.count / static_cast<double>(whole.samples) / whole.load;
  double z = student_t(n - 1), middle = effective + z * z / 2, half = z * std::sqrt(effective + z * z / 4);
  rate.limits = Interval{each * std::max(middle - half, 0.0), each * (middle + half)};
  return rate;
}

std::optional<Interval> difference_limits(const Rate& before, const Rate& after) {
  if (!before.limits || !after.limits) return std::nullopt;
  double difference = after.value - before.value;
  return Interval{
      difference - std::hypot(after.value - after.limits->low, before.limits->high - before.value),
      difference + std::hypot(after.limits->high - after.value, before.value - before.limits->low)};
}

}  // namespace hm::fleet
