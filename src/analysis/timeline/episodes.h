// SPDX-License-Identifier: MIT
// Episodes: intervals in which a function ran, or an event occurred, far more than usual.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/timeline/lanes.h"
#include "analysis/timeline/timeline_source.h"

namespace hm::timeline {

// A function, measured by its fraction of the lane's time, or an event, measured by its rate per second.
struct Unusual {
  std::string name;
  std::string dso;  // set for functions
  bool is_event = false;
  double during = 0;  // value in the episode
  double usual = 0;   // maximum in any other interval of equal length
};

struct RanBefore {
  std::string function;
  double share = 0;
};

struct Episode {
  uint64_t begin_ns = 0, end_ns = 0;  // since the first sample
  std::vector<Unusual> unusual;       // most significant first
  std::vector<std::string> lanes;
  std::vector<RanBefore> before;  // functions that ran before the episode, in an interval of equal length and
                                  // in these lanes: at most three, most time first
  // Expected number of equally or more significant findings in a run without episodes; below kChanceLimit.
  double chance = 0;
};

// Maximum probability of a false episode per run.
inline constexpr double kChanceLimit = 0.01;

// Minimum effect of an episode: a function has at least this share of the lane's time, and a function or
// event exceeds its usual value by at least this factor.
inline constexpr double kMinShare = 0.25, kMinRise = 1.5;

// Returns episodes in order of time. An episode is at least three sampling intervals and at most a 64th of
// the run long. Several episodes with equal activity in between are joined. The first and last hundredth of a
// lane are excluded because programs start and end there. Searches the 64 lanes with the most samples.
[[nodiscard]] std::vector<Episode> find_episodes(const Source& source, By by);

}  // namespace hm::timeline
