// SPDX-License-Identifier: MIT
// Explains cache misses: for each hot place, the miss classes, the access pattern, the matching pattern of
// the catalogue, and the estimated gain of its remedy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/cause/contested_lines.h"
#include "analysis/cause/hot_location.h"
#include "base/result.h"
#include "profile/event_counts.h"
#include "profile/filter.h"
#include "profile/profile.h"
#include "record/extension.h"
#include "symbol/resolver.h"

namespace hm::cause {

struct Options {
  profile::FilterOptions filter;
  size_t limit = 5;           // maximum number of places per event; 0 = all
  double min_share = 0.01;    // minimum fraction of the event's samples for a place to be listed
  uint64_t min_samples = 10;  // minimum number of samples of a place for reasons and advice
  double min_waits = 0.01;    // minimum fraction of the program's waits for data for reasons and advice
  bool inlines =
      true;  // true: places are lines of inlined functions; false: lines of the function with a symbol
};

// Returns "compulsory", ...
[[nodiscard]] std::string_view name_of(record::MissClass miss_class);

struct EventCauses {
  std::string name;
  uint64_t samples = 0;
  std::optional<uint64_t> estimated;
  std::vector<HotLocation> places;  // most samples first
  size_t all_places = 0;            // number of places before the limits
  // Share of the events at lines that were not used since the measurement of a running process began. Their
  // earlier use is unknown: the caches may have held them. nullopt if there are none or shares are unknown.
  std::optional<profile::Share> no_history{};
};

struct Causes {
  std::vector<EventCauses> events;  // events that pass the filter and have samples
  ContestedLines contested;         // at most Options::limit lines
};

// Fails with kInvalidArgument if the filter names an unknown event.
Result<Causes> find_causes(const profile::Profile& profile, const symbol::Resolver& resolver,
                           const Options& options);

}  // namespace hm::cause
