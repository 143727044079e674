// SPDX-License-Identifier: MIT
// Predicts a program's misses in a cache shared with others, from a recording of each program alone.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "model/geometry.h"
#include "model/reuse_times.h"
#include "profile/recorded_sizes.h"

namespace hm::corun {

// Reuses of one program in caches with a given number of sets. Between two uses of a line, the program itself
// and the other programs use other lines of its set. The program's own lines are the depth at which the
// second use finds the line. The line is evicted if own and other lines together are at least the number of
// ways.
class Reuses {
 public:
  // `set_count` is an index for Sizes::sets(); `sizes` must have reuses.
  Reuses(const profile::Sizes& sizes, uint32_t set_count);

  // Returns the mean number of distinct lines that the program uses in `accesses` accesses (Xiang, Ding, Luo,
  // Bao, "HOTL: A Higher Order Theory of Locality", ASPLOS 2013).
  [[nodiscard]] double lines_in(double accesses) const;

  // Returns the fraction of the accesses that miss if the program has a cache with `ways` ways to itself.
  [[nodiscard]] double missed_alone(uint32_t ways) const;

  // Returns the fraction of the accesses that hit alone but miss beside others. `lines_of_others(accesses)`
  // returns the mean number of lines per set that the others use during `accesses` accesses of this program.
  // The variation of this number between sets is unknown: if `spread`, it is modelled as random (Poisson),
  // else as constant.
  [[nodiscard]] double missed_beside(uint32_t ways, bool spread,
                                     const std::function<double(double)>& lines_of_others) const;

 private:
  using OfTimes = std::array<double, model::kReuseClasses>;

  std::vector<double> misses_;   // fractions of the accesses, by ways from 0
  std::vector<OfTimes> reuses_;  // fractions of the accesses, by depth and time class
  OfTimes of_times_{};           // sums of reuses_ over all depths
  double never_again_ = 0;       // fraction of the accesses whose lines are not used again
};

}  // namespace hm::corun
