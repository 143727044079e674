// SPDX-License-Identifier: MIT
// Intervals of differences. All are of 95 %.
//
// From samples. What a row stands for is T p: the event's total times the row's share of the samples, and
// Wilson's interval of p (profile::wilson_share()) gives its limits [l, u]. The difference D = x2 - f x1 of
// two such has, with their limits, the interval
//
//     D - sqrt((x2 - l2)^2 + f^2 (u1 - x1)^2)  ..  D + sqrt((u2 - x2)^2 + f^2 (x1 - l1)^2)
//
// R. G. Newcombe, "Interval estimation for the difference between independent proportions", Statistics in
// Medicine 17 (1998), 873-890, method 10; for other amounts than proportions G. Y. Zou and A. Donner,
// Statistics in Medicine 27 (2008), 1693-1702. It needs no minimum of samples: a row that has none has a
// limit all the same. It says how far the samples tell the difference of these runs, not how much runs vary.
//
// From repeated runs. D of the means, plus or minus t s, with s^2 = v2 / n2 + f^2 v1 / n1 of the sample
// variances and the degrees of freedom of B. L. Welch, Biometrika 34 (1947), 28-35. Where one side is a
// single run, both are taken to vary as the other does (Student).
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

// Of after - factor * before, from samples; where only limits are known, all that they allow.
[[nodiscard]] Interval sampled_difference(const Estimate& before, const Estimate& after, double factor);

// Likewise from the values of runs, at least one a side; nullopt where both sides are a single run.
[[nodiscard]] std::optional<Interval> repeated_difference(const std::vector<double>& before,
                                                          const std::vector<double>& after, double factor);

// Of at least one value.
[[nodiscard]] double mean_of(const std::vector<double>& values);

}  // namespace hm::diff
