// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "analysis/diff/side.h"

namespace hm::diff {

struct Change {
  std::optional<double> absolute;  // nullopt if one of the two values is unknown
  std::optional<double> relative;  // fraction of the value before; nullopt also if that value is 0
  std::optional<Interval> limits;  // interval of `absolute`; nullopt if there are too few runs
  bool exact = false;              // counted, neither estimated nor varying between runs
  [[nodiscard]] bool significant() const;
};

[[nodiscard]] Change change_of(const std::optional<double>& before, const std::optional<double>& after,
                               std::optional<Interval> limits, bool exact);

// Returns true if both sides count the event exactly and the runs of each side agree.
[[nodiscard]] bool is_exact(const Side& before, const Side& after, std::string_view event,
                            const std::vector<double>& values_before,
                            const std::vector<double>& values_after);

// The properties of the runs that determine the noise of their differences.
enum class Runs {
  kExact,        // none: is_exact()
  kIndependent,  // repeated, or single runs with unknown noise
  kPaired,       // Side::is_paired_with()
};

// Returns kExact if `exact`, else kPaired or kIndependent.
[[nodiscard]] Runs runs_of(bool exact, const Side& before, const Side& after);

// Returns the interval of after - factor * before for the totals, or rates, of the runs. Returns nullopt if
// each side has only one run and the noise is therefore unknown.
[[nodiscard]] std::optional<Interval> total_difference(const std::vector<double>& before,
                                                       const std::vector<double>& after, Runs runs,
                                                       double factor);

// Returns the interval of after - factor * before for rows. If runs are repeated, returns the wider of the
// sampling interval and the interval between runs.
[[nodiscard]] Interval part_difference(const Part& before, const Part& after, Runs runs, double factor);

}  // namespace hm::diff
