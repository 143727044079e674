// SPDX-License-Identifier: MIT
// Splits an event's samples by thread and CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "profile/filter.h"
#include "profile/profile.h"
#include "profile/time_axis.h"

namespace hm::timeline {

// The samples of one thread on one CPU: [first, first + count) of Tracks::samples, in order of time.
struct Track {
  uint32_t thread = 0;
  std::optional<uint32_t> cpu;  // nullopt if not recorded
  size_t first = 0, count = 0;
};

struct Tracks {
  std::vector<Track> tracks;
  std::vector<uint32_t> samples;
};

// Returns the event's samples in threads that pass the filter. Leaves out samples without a time on the axis.
[[nodiscard]] Tracks find_tracks(const profile::Profile& profile, const profile::TimeAxis& axis,
                                 const profile::Filter& filter, uint32_t event);

}  // namespace hm::timeline
