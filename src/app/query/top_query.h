// SPDX-License-Identifier: MIT
// The hottest functions and lines of each event, with causes of their misses, for a live view.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/annotate/annotation.h"
#include "analysis/cause/cause.h"
#include "analysis/hotspots/hotspots.h"
#include "analysis/totals/verdict.h"
#include "base/result.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::query {

// Until when a recording has been looked at.
struct Seen {
  uint64_t time_ns = 0;  // of the newest sample
  // Total time during which events were counted, as Origin::measured_ns; nullopt if they always are.
  std::optional<uint64_t> measured_ns;
};

struct TopOptions {
  std::string input;   // for load_profile()
  size_t rows = 60;    // rows per table
  size_t places = 3;   // number of places with causes, per event
  bool rates = false;  // report rates since `since`, or since the first sample
  std::optional<Seen> since = {};
};

struct TopEvent {
  hotspots::Hotspots functions, lines;
  std::vector<std::string> line_functions;  // of each row of `lines`, the hottest function
  cause::Causes causes;                     // causes of this event
};

struct TopView {
  std::optional<totals::Verdict> verdict;  // of what was measured so far
  std::vector<TopEvent> events;
  Seen seen;
  std::shared_ptr<const profile::Profile> profile;  // what the view was made of
};

// Fails with kNotFound if there are neither samples nor a verdict yet.
[[nodiscard]] Result<TopView> top(const TopOptions& options, const symbol::Resolver& resolver);

// Annotates a function of the view for one of its events. Fails with kNotFound if it has no samples.
[[nodiscard]] Result<annotate::Annotation> annotate_in(const TopView& view, const std::string& event,
                                                       const std::string& function,
                                                       const std::optional<std::string>& dso,
                                                       const symbol::Resolver& resolver);

}  // namespace hm::query
