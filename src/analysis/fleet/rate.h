// SPDX-License-Identifier: MIT
// How often something happens, of what many short measurements saw.
//
// Of batches i with counts x_i and loads l_i the rate is R = sum x / sum l, a ratio of two sums over a sample
// of clusters: its variance is n / (n - 1) sum (x_i - R l_i)^2 / (sum l)^2 (Cochran, Sampling Techniques,
// 1977, section 6.4), which knows unequal loads and that samples of one batch are alike. So the samples tell
// as much as m independent ones, at most as many as there are, and R's interval is that of a Poisson
// distribution's mean of which m were seen, by its score: m + z^2 / 2 plus or minus z sqrt(m + z^2 / 4); with
// Student's t for z, as batches may be few. It is right also where a part has few samples or none. What was
// read and not sampled (readings of occupancy) varies from batch to batch only.
// Differences: G. Y. Zou and A. Donner, Statistics in Medicine 27 (2008), 1693-1702.
#pragma once

#include <optional>

#include "store/queries.h"

namespace hm::fleet {

struct Interval {
  double low = 0, high = 0;  // 95 %
};

struct Rate {
  double value = 0;                // events for each unit of load
  std::optional<Interval> limits;  // nullopt where batches are too few to tell
};

// `part`: what is asked about; `whole`: the same event of the same selection in all, which knows the load
// also of batches that have nothing of the part. nullopt where no load is known.
[[nodiscard]] std::optional<Rate> rate_of(const store::Group& part, const store::Group& whole);

// Of after - before; nullopt where the limits of one are not known.
[[nodiscard]] std::optional<Interval> difference_limits(const Rate& before, const Rate& after);

}  // namespace hm::fleet
