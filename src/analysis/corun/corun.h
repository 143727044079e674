// SPDX-License-Identifier: MIT
// Which programs fit beside which in a cache that they share: predicted from what each of them did alone, and
// which should share one of several caches.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/geometry.h"
#include "profile/sizes.h"

namespace hm::corun {

struct Program {
  std::string name;
  profile::Sizes sizes;
};

struct Options {
  model::SetGeometry cache;
  uint32_t line_bytes = 64;
  size_t caches = 0;  // to place the programs on; 0: no placement is wanted
};

struct Estimate {
  double value = 0, low = 0, high = 0;
};

// One program beside others. Misses of 1000 of its accesses.
struct Member {
  size_t program = 0;  // index
  double alone = 0;
  Estimate extra;  // beside the others
};

// Where the rates are known: extra misses of both together in 1000 cycles.
inline constexpr double kFew = 0.1;
enum class Fit {
  kFits,      // not more than kFew
  kUnclear,   // perhaps
  kCollides,  // surely more
};

struct Pair {
  Member members[2];
  Estimate
      extra;  // of both together, in 1000 cycles of the cost model; of 1000 accesses where rates are unknown
  Fit fit = Fit::kUnclear;
};

struct Placement {
  std::vector<std::vector<size_t>> caches;  // the programs of each
  double extra = 0;                         // of all together, as in Pair
  double extra_of_worst = 0;                // of the placement that has the most
};

struct Corun {
  model::SetGeometry
      cache;  // the one that was predicted: its sets are among those that the recordings tell of
  bool rates_known = false;  // else each program is taken to have as many accesses as the others in a time
  std::vector<Pair> pairs;   // the most extra misses first
  std::optional<Placement> placement;
};

inline constexpr size_t kMostPlaced = 12;

// Two programs or more. kNotFound where a recording has no sizes with reuses; kInvalidArgument where they
// tell of no such cache.
[[nodiscard]] Result<Corun> predict(const std::vector<Program>& programs, const Options& options);

}  // namespace hm::corun
