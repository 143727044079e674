// SPDX-License-Identifier: MIT
// Finds intervals in which a quantity leaves its usual range.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hm::timeline {

// The quantity in a bin, in units of a sample: the events or time that one sample represents are 1.
struct Amount {
  uint32_t bin = 0;
  float samples = 0;
};

// Bins [begin, end) with a far larger quantity than any others of equal length.
struct Outlier {
  uint32_t begin = 0, end = 0;
  double per_bin = 0;  // mean number of samples
  double usual = 0;    // mean number of samples in the largest other interval, apart from other outliers
  // Natural logarithm of the expected number of equally significant outliers in a row without episodes.
  double log_chance = 0;
};

// Minimum number of samples of an outlier; fewer may be chance.
inline constexpr double kFewestSamples = 3;

// Searches a row of `bins` bins; `row` is in order of bins and has each bin at most once. Examines windows of
// 1, 2, 4 ... bins, at most a 64th of all. Up to 5 windows are outliers if the smallest of them exceeds the
// expectation of two models of the other windows. The first model is a constant rate (Poisson distribution).
// The second is an exponential tail over the largest other windows, as bursts have. The mean excess over a
// threshold determines the tail (J. Pickands, Annals of Statistics 3 (1975), 119-131). The larger of the two
// chances is used, so the result holds for both models. Testing the largest possible number of outliers first
// keeps them from masking each other (B. Rosner, Technometrics 25 (1983), 165-172). Returns at most one
// outlier for the same bins, the most significant. The logarithm of its chance is below `log_limit`.
[[nodiscard]] std::vector<Outlier> find_outliers(std::span<const Amount> row, size_t bins, double log_limit);

}  // namespace hm::timeline
