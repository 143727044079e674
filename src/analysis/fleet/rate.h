// SPDX-License-Identifier: MIT
// Estimates the rate of an event from many short measurements.
//
// For batches i with counts x_i and loads l_i, the rate is R = sum x / sum l, a ratio of two sums over a
// sample of clusters. Its variance is n / (n - 1) sum (x_i - R l_i)^2 / (sum l)^2 (Cochran, Sampling
// Techniques, 1977, section 6.4), which accounts for unequal loads and for the similarity of samples of one
// batch. The samples are therefore worth m independent ones, at most their actual number. The interval of R
// is the score interval of the mean of a Poisson distribution with m observed events: m + z^2 / 2 plus or
// minus z sqrt(m + z^2 / 4). Student's t replaces z because there may be few batches. The interval is valid
// even for a part with few samples or none. Quantities that are read and not sampled (occupancy) vary between
// batches only. Differences: G. Y. Zou and A. Donner, Statistics in Medicine 27 (2008), 1693-1702.
#pragma once

#include <optional>

#include "store/queries.h"

namespace hm::fleet {

struct Interval {
  double low = 0, high = 0;  // limits of the 95 % interval
};

struct Rate {
  double value = 0;                // events per unit of load
  std::optional<Interval> limits;  // nullopt if there are too few batches
};

// Returns the rate of `part`, or nullopt if the load is unknown. `whole` is the event over the whole
// selection; its load includes batches without events of the part.
[[nodiscard]] std::optional<Rate> rate_of(const store::Group& part, const store::Group& whole);

// Returns the interval of after - before; nullopt if either interval is unknown.
[[nodiscard]] std::optional<Interval> difference_limits(const Rate& before, const Rate& after);

}  // namespace hm::fleet
