// SPDX-License-Identifier: MIT
// The sampling error of a sum over clusters.
#pragma once

#include <span>

namespace hm {

// How the clusters were selected.
enum class Selection {
  kRandom,
  kEvenlySpread,  // over the run, in order of time: slow changes are no sampling error
};

struct SumError {
  double variance = 0;
  // Degrees of freedom of the variance. They are few, however many clusters there are, if a few clusters have
  // most of the deviations.
  double degrees = 1;
};

// Returns the error from each cluster's deviation from its expected part of the sum; variance
// 0 if there are fewer than two clusters. A random selection's variance is that of the deviations (W. G.
// Cochran, Sampling Techniques, 3rd ed., equation 6.13). That of an evenly spread one follows from
// differences of neighbours (K. M. Wolter, Introduction to Variance Estimation, 2nd ed., section 8.2). The
// degrees of freedom are those of F. E. Satterthwaite, Biometrics Bulletin 2 (1946), 110-114, with the
// clusters' fourth powers as the variance of the variance.
[[nodiscard]] SumError sum_error(std::span<const double> deviations, Selection selection);

}  // namespace hm
