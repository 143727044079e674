// SPDX-License-Identifier: MIT
// What a program would miss in a cache that it shares with others, from what each did alone.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "model/geometry.h"
#include "model/reuse_times.h"
#include "profile/sizes.h"

namespace hm::corun {

// One program's reuses in caches of one number of sets. Between two uses of a line, some lines of its set are
// used by the program itself (the depth at which the second use finds it) and some by others: the line is
// gone where both together are as many as there are ways.
class Reuses {
 public:
  // `set_count` is an index, Sizes::sets(); the sizes have reuses.
  Reuses(const profile::Sizes& sizes, uint32_t set_count);

  // How many distinct lines the program uses in so many accesses, the mean (Xiang, Ding, Luo, Bao, "HOTL: A
  // Higher Order Theory of Locality", ASPLOS 2013).
  [[nodiscard]] double lines_in(double accesses) const;

  // The part of the accesses that misses where it is alone in a cache of so many ways.
  [[nodiscard]] double missed_alone(uint32_t ways) const;

  // The part that hits there, but misses beside others: `lines_of_others(accesses)` says how many lines they
  // use in each set, the mean, during so many accesses of this program. How that number differs from set to
  // set is not known: `spread` takes it as random (Poisson), else as the same everywhere.
  [[nodiscard]] double missed_beside(uint32_t ways, bool spread,
                                     const std::function<double(double)>& lines_of_others) const;

 private:
  using OfTimes = std::array<double, model::kReuseClasses>;

  std::vector<double> misses_;   // by ways, from 0: parts of the accesses
  std::vector<OfTimes> reuses_;  // by depth and class of time: likewise
  OfTimes of_times_{};           // of all depths
  double never_again_ = 0;       // accesses whose lines are not used again
};

}  // namespace hm::corun
