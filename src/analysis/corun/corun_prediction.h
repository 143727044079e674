// SPDX-License-Identifier: MIT
// Predicts the extra misses of programs that share a cache, from a recording of each program alone. Also
// finds the best placement of the programs on several caches.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/geometry.h"
#include "profile/recorded_sizes.h"

namespace hm::corun {

struct Program {
  std::string name;
  profile::Sizes sizes;
};

struct Options {
  model::SetGeometry cache;
  uint32_t line_bytes = 64;
  size_t caches = 0;  // number of caches to place the programs on; 0: no placement
};

struct Estimate {
  double value = 0, low = 0, high = 0;
};

// One program beside others. Values are misses per 1000 of its accesses.
struct Member {
  size_t program = 0;  // index
  double alone = 0;
  Estimate extra;  // caused by the other programs
};

// Threshold for a fit, if the access rates are known: extra misses of both programs per 1000 cycles.
inline constexpr double kFew = 0.1;
enum class Fit {
  kFits,      // at most kFew
  kUnclear,   // the interval contains kFew
  kCollides,  // more than kFew, with certainty
};

struct Pair {
  Member members[2];
  Estimate extra;  // of both programs, per 1000 cycles of the cost model; per 1000 accesses if the rates are
                   // unknown
  Fit fit = Fit::kUnclear;
};

struct Placement {
  std::vector<std::vector<size_t>> caches;  // programs on each cache
  double extra = 0;                         // sum over all programs, in the unit of Pair::extra
  double extra_of_worst = 0;                // of the placement with the most extra misses
};

struct Corun {
  model::SetGeometry cache;  // the predicted cache: its number of sets is one that the recordings cover
  bool rates_known = false;  // false: all programs are assumed to have equal access rates
  std::vector<Pair> pairs;   // most extra misses first
  std::optional<Placement> placement;
};

inline constexpr size_t kMaxPlaced = 12;

// Predicts for two or more programs. Fails with kNotFound if a recording has no sizes with reuse times, and
// with kInvalidArgument if the recordings do not cover a cache like `options.cache`.
[[nodiscard]] Result<Corun> predict(const std::vector<Program>& programs, const Options& options);

}  // namespace hm::corun
