// SPDX-License-Identifier: MIT
// How often something happens, of what many short measurements saw.
//
// Of batches i with counts x_i and loads l_i the rate is R = sum x / sum l, a ratio of two sums over a sample
// of clusters: its variance is n / (n - 1) sum (x_i - R l_i)^2 / (sum l)^2 (Cochran, Sampling Techniques,
// 1977, section 6.4), which knows unequal loads and that samples of one batch are alike. Where samples are
// few it may be too small by chance: the variance is never taken below that of as many independent samples
// (Poisson), of one where there is none.
#pragma once

#include <optional>

#include "store/queries.h"

namespace hm::fleet {

struct Interval {
  double low = 0, high = 0;  // 95 %
};

struct Rate {
  double value = 0;  // events for each unit of load
  // Of `value`; nullopt where batches are too few to tell.
  std::optional<double> variance;
  double degrees = 0;  // of freedom

  [[nodiscard]] std::optional<Interval> limits() const;
};

// `part`: what is asked about; `whole`: the same event of the same selection in all, which knows the load
// also of batches that have nothing of the part. nullopt where no load is known.
[[nodiscard]] std::optional<Rate> rate_of(const store::Group& part, const store::Group& whole);

// Of after - before; nullopt where one of the two has no variance.
[[nodiscard]] std::optional<Interval> difference_limits(const Rate& before, const Rate& after);

}  // namespace hm::fleet
