// SPDX-License-Identifier: MIT
// Why programs miss: for each hot place what class its misses are of, how it walks through memory, which
// pattern that is, and what a remedy would gain.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/cause/contested_lines.h"
#include "analysis/cause/place.h"
#include "base/result.h"
#include "profile/event_counts.h"
#include "profile/filter.h"
#include "profile/profile.h"
#include "record/extension.h"
#include "symbol/resolver.h"

namespace hm::cause {

struct Options {
  profile::FilterOptions filter;
  size_t limit = 5;           // places of each event; 0: all
  double min_share = 0.01;    // of the event's samples: smaller places are left out
  uint64_t min_samples = 10;  // of a place, for advice: fewer say too little
  bool inlines = true;        // a place is a line of an inlined function; else of the one with a symbol
};

// "compulsory", ...
[[nodiscard]] std::string_view name_of(record::MissClass miss_class);

struct EventCauses {
  std::string name;
  uint64_t samples = 0;
  std::optional<uint64_t> estimated;
  std::vector<Place> places;  // hottest first
  size_t all_places = 0;      // before the limits
};

struct Causes {
  std::vector<EventCauses> events;  // those that the filter lets through and that have samples
  ContestedLines contested;         // as many as places of each event
};

// kInvalidArgument where the filter names an unknown event.
Result<Causes> find_causes(const profile::Profile& profile, const symbol::Resolver& resolver,
                           const Options& options);

}  // namespace hm::cause
