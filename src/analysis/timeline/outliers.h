// SPDX-License-Identifier: MIT
// When a quantity over time leaves its usual range.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hm::timeline {

// How much there was in a bin, in samples: what a sample stands for is one.
struct Amount {
  uint32_t bin = 0;
  float samples = 0;
};

// Bins, up to `end`, in which there was far more than in any others as long.
struct Outlier {
  uint32_t begin = 0, end = 0;
  double per_bin = 0;  // samples, in the mean
  double usual = 0;    // likewise, in what had the most elsewhere, but for a few that stand out themselves
  // The natural logarithm of how often a row without episodes is expected to have one that stands out as
  // much.
  double log_chance = 0;
};

// Fewer than this many samples in a row of bins may be anything.
inline constexpr double kFewestSamples = 3;

// Of a row in order of bins, each at most once, of `bins` in all. Windows of 1, 2, 4 ... bins are looked at,
// at most a 64th of all. A few of them, up to 5, stand out where the least of these is more than two models
// of the others let expect: samples that fall anywhere with their rate (the Poisson distribution), and an
// exponential tail over the largest of the others, as bursts have (the mean of what exceeds a threshold tells
// the tail; J. Pickands, Annals of Statistics 3 (1975), 119-131). Being the less likely of two, it holds for
// both. Testing the most that may stand out first keeps them from hiding each other (B. Rosner,
// Technometrics 25 (1983), 165-172). At most one for the same bins, the surest. The logarithm of the chance
// is below `log_limit`.
[[nodiscard]] std::vector<Outlier> find_outliers(std::span<const Amount> row, size_t bins, double log_limit);

}  // namespace hm::timeline
