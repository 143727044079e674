// SPDX-License-Identifier: MIT
// The stretches of time between a profile's samples, in one function each.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/timeline/new_branches.h"
#include "analysis/timeline/ways.h"
#include "profile/filter.h"
#include "profile/profile.h"

namespace hm::timeline {

// A sample, and what was before it.
struct Point {
  size_t sample = 0;
  uint64_t begin_ns = 0, end_ns = 0;  // the time that it stands for; it was taken at the end
  uint64_t idle_ns = 0;               // before that: its thread was not sampled for much longer than usual
  Stack stack;
  NewBranches fresh;
};

// The samples of one event, in order of time. It points into the profile.
struct Series {
  std::vector<Point> points;
  std::vector<double> share;  // by function: its part of these samples
  std::vector<double> dwell;  // by function: Stretch::dwell
  uint64_t begin_ns = 0, end_ns = 0;
  uint64_t interval_ns = 1;  // from one sample of a thread to its next: the median
};

// Of samples of this event that pass; those without a time are left out.
[[nodiscard]] Series find_series(const profile::Profile& profile, const profile::Filter& filter,
                                 uint32_t event);
// Of these samples, which have times; they are not none.
[[nodiscard]] Series series_of(const profile::Profile& profile, const std::vector<size_t>& samples);

struct Piece {
  uint32_t function = 0;
  uint64_t begin_ns = 0;
  double ns = 0;
};
// What ran in the point's time, oldest first.
[[nodiscard]] std::vector<Piece> pieces_of(const profile::Profile& profile, const Series& series,
                                           const Point& point, Way way);

}  // namespace hm::timeline
