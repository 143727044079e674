// SPDX-License-Identifier: MIT
// Episodes: when a function ran far more than it usually does, or an event was counted far more often.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/timeline/lanes.h"
#include "analysis/timeline/source.h"

namespace hm::timeline {

// A function, by its part of the lane's time, or an event, by how often in a second.
struct Unusual {
  std::string name;
  std::string dso;  // of a function
  bool is_event = false;
  double during = 0;  // the episode
  double usual = 0;   // the most in any other stretch as long
};

struct RanBefore {
  std::string function;
  double share = 0;
};

struct Episode {
  uint64_t begin_ns = 0, end_ns = 0;  // since the first sample
  std::vector<Unusual> unusual;       // the surest first
  std::vector<std::string> lanes;
  std::vector<RanBefore> before;  // in as much time before it, in these lanes: the most first, at most three
  // Of how many runs without episodes one is expected to show this or something surer, somewhere; below
  // kChanceLimit.
  double chance = 0;
};

// So often a run without episodes may be said to have one.
inline constexpr double kChanceLimit = 0.01;

// What is unusual but small is no episode: a function has at least a quarter of the lane's time in it, and a
// function or an event at least one and a half times what is usual.
inline constexpr double kLeastShare = 0.25, kLeastRise = 1.5;

// In order of time. At least as long as three samples are apart, at most a 64th of the run, or several such
// in a row between which the same goes on; what a lane does in its first and last hundredth is no episode, as
// programs start and end. Of the 64 lanes with the most samples.
[[nodiscard]] std::vector<Episode> find_episodes(const Source& source, By by);

}  // namespace hm::timeline
