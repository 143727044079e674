// SPDX-License-Identifier: MIT
#include "base/sum_error.h"

#include <algorithm>

namespace hm {
namespace {

// Sum of the squared deviations from which a variance is estimated.
class Squares {
 public:
  void add(double square) {
    sum_ += square;
    of_squares_ += square * square;
  }
  [[nodiscard]] double sum() const { return sum_; }
  // Satterthwaite's: 2 V^2 / Var(V) for a sum V of squares that are there or not by chance.
  [[nodiscard]] double degrees() const { return of_squares_ > 0 ? 2 * sum_ * sum_ / of_squares_ : 1; }

 private:
  double sum_ = 0, of_squares_ = 0;
};

}  // namespace

SumError sum_error(std::span<const double> deviations, Selection selection) {
  if (deviations.size() < 2) return {};
  bool spread = selection == Selection::kEvenlySpread;
  Squares squares;
  for (size_t i = 0; i < deviations.size(); ++i) {
    double off = deviations[i];
    if (!spread) squares.add(off * off);
    if (spread && i > 0) squares.add((off - deviations[i - 1]) * (off - deviations[i - 1]) / 2);
  }
  auto count = static_cast<double>(deviations.size());
  // Each difference of neighbours shares a cluster with the next: 3 N / 2 differences are worth N clusters.
  double degrees = spread ? squares.degrees() / 1.5 : squares.degrees();
  return {squares.sum() * count / (count - 1), std::clamp(degrees, 1.0, count - 1)};
}

}  // namespace hm
