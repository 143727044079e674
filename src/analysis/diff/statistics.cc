// SPDX-License-Identifier: MIT
#include "analysis/diff/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace hm::diff {
namespace {

struct Quantile {
  double degrees;
  double t;
};

// NIST/SEMATECH e-Handbook of Statistical Methods, table 1.3.6.7.2.
constexpr std::array<Quantile, 33> kQuantiles{
    {{1, 12.706}, {2, 4.303},  {3, 3.182},  {4, 2.776},  {5, 2.571},  {6, 2.447},  {7, 2.365},
     {8, 2.306},  {9, 2.262},  {10, 2.228}, {11, 2.201}, {12, 2.179}, {13, 2.160}, {14, 2.145},
     {15, 2.131}, {16, 2.120}, {17, 2.110}, {18, 2.101}, {19, 2.093}, {20, 2.086}, {21, 2.080},
     {22, 2.074}, {23, 2.069}, {24, 2.064}, {25, 2.060}, {26, 2.056}, {27, 2.052}, {28, 2.048},
     {29, 2.045}, {30, 2.042}, {40, 2.021}, {60, 2.000}, {100, 1.984}}};

// Of at least two values.
double variance_of(const std::vector<double>& values) {
  double mean = mean_of(values), sum = 0;
  for (double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size() - 1);
}

}  // namespace

double student_t(double degrees) {
  const auto* above = std::ranges::upper_bound(kQuantiles, degrees, {}, &Quantile::degrees);
  return above == kQuantiles.begin() ? kQuantiles.front().t : std::prev(above)->t;
}

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

}  // namespace hm::diff
