// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "profile/location_table.h"
#include "profile/segment.h"

namespace hm::profile {

// Concatenates the segments' samples in the profile and renumbers their places and threads. The profile
// already has the named threads. Unnamed threads get rows before them, because the last row of a thread has
// its final name.
void join_segments(std::vector<Segment> segments, const Needs& needs, Profile& profile,
                   LocationTable& locations, size_t workers);

}  // namespace hm::profile
