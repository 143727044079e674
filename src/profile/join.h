// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "profile/place_table.h"
#include "profile/segment.h"

namespace hm::profile {

// Puts the segments' samples one behind the other into the profile, by the profile's numbers of places and
// threads. The profile has its named threads; the others get rows before them, for a thread has its name to
// the end.
void join_segments(std::vector<Segment> segments, const Needs& needs, Profile& profile, PlaceTable& places,
                   size_t workers);

}  // namespace hm::profile
