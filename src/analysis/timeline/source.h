// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "analysis/timeline/event_times.h"
#include "analysis/timeline/gaps.h"
#include "analysis/timeline/index.h"
#include "profile/filter.h"
#include "profile/profile.h"

namespace hm::timeline {

// What windows are cut from, and episodes found in.
struct Source {
  const profile::Profile& profile;
  const profile::Filter& filter;
  const Index& index;
  const std::vector<CountedEvent>& counted;
  const std::vector<CountedEvent>& rated;  // of which windows tell the rate
  const std::vector<Gap>& gaps;
};

}  // namespace hm::timeline
