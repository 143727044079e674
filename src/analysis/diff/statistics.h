// SPDX-License-Identifier: MIT
// Confidence intervals of differences. All are 95 % intervals.
//
// From samples: a row represents T p events, the event's total times the row's share of the samples. Wilson's
// interval of p (profile::wilson_share()) gives its limits [l, u]. The difference D = x2 - f x1 of two rows
// has, with their limits, the interval
//
//     D - sqrt((x2 - l2)^2 + f^2 (u1 - x1)^2)  ..  D + sqrt((u2 - x2)^2 + f^2 (x1 - l1)^2)
//
// R. G. Newcombe, "Interval estimation for the difference between independent proportions", Statistics in
// Medicine 17 (1998), 873-890, method 10; for quantities other than proportions G. Y. Zou and A. Donner,
// Statistics in Medicine 27 (2008), 1693-1702. No minimum of samples is needed: a row without samples still
// has a limit. The interval covers the sampling error of these runs, not the variation between runs.
//
// From repeated runs: the interval is D of the means, plus or minus t s, with s^2 = v2 / n2 + f^2 v1 / n1 of
// the sample variances and the degrees of freedom of B. L. Welch, Biometrika 34 (1947), 28-35. If one side is
// a single run, its variance is assumed equal to the other side's (Student). If the runs are paired, because
// run i of both sides had the same memory layout, it is Student's interval of the mean of x2i - f x1i.
#pragma once

#include <optional>
#include <vector>

namespace hm::diff {

struct Interval {
  double low = 0;
  double high = 0;

  bool operator==(const Interval&) const = default;
};

struct Estimate {
  std::optional<double> value;  // nullopt: only the limits are known
  Interval limits;

  bool operator==(const Estimate&) const = default;
};

// Returns the interval of after - factor * before from samples. If only limits are known, returns the widest
// interval within the limits.
[[nodiscard]] Interval sampled_difference(const Estimate& before, const Estimate& after, double factor);

// Returns the interval of after - factor * before from the values of at least one run per side. Returns
// nullopt if both sides are a single run.
[[nodiscard]] std::optional<Interval> repeated_difference(const std::vector<double>& before,
                                                          const std::vector<double>& after, double factor);

// Returns the interval of after - factor * before from the values of at least two pairs of runs.
[[nodiscard]] Interval paired_difference(const std::vector<double>& before, const std::vector<double>& after,
                                         double factor);

// Requires at least one value.
[[nodiscard]] double mean_of(const std::vector<double>& values);

}  // namespace hm::diff
