// SPDX-License-Identifier: MIT
#include "analysis/diff/statistics.h"

#include <algorithm>
#include <cmath>

#include "base/student_t.h"

namespace hm::diff {
namespace {

// Requires at least two values.
double variance_of(const std::vector<double>& values) {
  double mean = mean_of(values), sum = 0;
  for (double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size() - 1);
}

}  // namespace

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

Interval sampled_difference(const Estimate& before, const Estimate& after, double factor) {
  if (!before.value || !after.value)
    return {after.limits.low - factor * before.limits.high, after.limits.high - factor * before.limits.low};
  double x1 = *before.value, x2 = *after.value, difference = x2 - factor * x1;
  return {difference - std::hypot(x2 - after.limits.low, factor * (before.limits.high - x1)),
          difference + std::hypot(after.limits.high - x2, factor * (x1 - before.limits.low))};
}

std::optional<Interval> repeated_difference(const std::vector<double>& before,
                                            const std::vector<double>& after, double factor) {
  if (before.size() < 2 && after.size() < 2) return std::nullopt;
  auto n1 = static_cast<double>(before.size()), n2 = static_cast<double>(after.size());
  double v1 = variance_of(before.size() < 2 ? after : before);
  double v2 = variance_of(after.size() < 2 ? before : after);
  double part1 = factor * factor * v1 / n1, part2 = v2 / n2, degrees = std::max(n1, n2) - 1;
  if (n1 >= 2 && n2 >= 2 && part1 + part2 > 0) {
    degrees = (part1 + part2) * (part1 + part2) / (part1 * part1 / (n1 - 1) + part2 * part2 / (n2 - 1));
  }
  double difference = mean_of(after) - factor * mean_of(before);
  double half = student_t(degrees) * std::sqrt(part1 + part2);
  return Interval{difference - half, difference + half};
}

Interval paired_difference(const std::vector<double>& before, const std::vector<double>& after,
                           double factor) {
  std::vector<double> differences;
  for (size_t i = 0; i < after.size(); ++i) differences.push_back(after[i] - factor * before[i]);
  auto pairs = static_cast<double>(differences.size());
  double half = student_t(pairs - 1) * std::sqrt(variance_of(differences) / pairs);
  return {mean_of(differences) - half, mean_of(differences) + half};
}

}  // namespace hm::diff
