// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "analysis/timeline/event_times.h"
#include "analysis/timeline/gaps.h"
#include "analysis/timeline/index.h"
#include "profile/filter.h"
#include "profile/profile.h"

namespace hm::timeline {

// Input for windows and for the search of episodes.
struct Source {
  const profile::Profile& profile;
  const profile::Filter& filter;
  const Index& index;
  const std::vector<CountedEvent>& counted;
  const std::vector<CountedEvent>& rated;  // events that windows show the rate of
  const std::vector<Gap>& gaps;
};

}  // namespace hm::timeline
