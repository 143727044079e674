// SPDX-License-Identifier: MIT
#include "analysis/diff/change.h"

#include <algorithm>
#include <functional>

namespace hm::diff {
namespace {

bool all_equal(const std::vector<double>& values) {
  return std::ranges::adjacent_find(values, std::not_equal_to<>()) == values.end();
}

}  // namespace

bool Change::significant() const { return limits && (limits->low > 0 || limits->high < 0); }

Change change_of(const std::optional<double>& before, const std::optional<double>& after,
                 std::optional<Interval> limits, bool exact) {
  Change change;
  change.limits = limits;
  change.exact = exact;
  if (!before || !after) return change;
  change.absolute = *after - *before;
  if (*before != 0) change.relative = *change.absolute / *before;
  return change;
}

bool is_exact(const Side& before, const Side& after, std::string_view event,
              const std::vector<double>& values_before, const std::vector<double>& values_after) {
  return before.exact(event) && after.exact(event) && all_equal(values_before) && all_equal(values_after);
}

Runs runs_of(bool exact, const Side& before, const Side& after) {
  if (exact) return Runs::kExact;
  return before.is_paired_with(after) ? Runs::kPaired : Runs::kIndependent;
}

std::optional<Interval> total_difference(const std::vector<double>& before, const std::vector<double>& after,
                                         Runs runs, double factor) {
  switch (runs) {
    case Runs::kIndependent:
      return repeated_difference(before, after, factor);
    case Runs::kPaired:
      return paired_difference(before, after, factor);
    case Runs::kExact:
      break;
  }
  double difference = after.front() - factor * before.front();
  return Interval{difference, difference};
}

Interval part_difference(const Part& before, const Part& after, Runs runs, double factor) {
  Interval sampled = sampled_difference(before.events, after.events, factor);
  if (before.values.empty() || after.values.empty()) return sampled;
  std::optional<Interval> repeated = total_difference(before.values, after.values, runs, factor);
  if (!repeated) return sampled;
  return {std::min(sampled.low, repeated->low), std::max(sampled.high, repeated->high)};
}

}  // namespace hm::diff
