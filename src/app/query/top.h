// SPDX-License-Identifier: MIT
// The hottest functions and lines of each event, with causes of their misses, for a live view.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/cause/cause.h"
#include "analysis/hotspots/hotspots.h"
#include "analysis/totals/verdict.h"
#include "base/result.h"
#include "symbol/resolver.h"

namespace hm::query {

struct TopOptions {
  std::string input;  // for load_profile()
  size_t rows = 60;   // rows per table
  size_t places = 3;  // number of places with causes, per event
};

struct TopEvent {
  hotspots::Hotspots functions, lines;
  cause::Causes causes;  // causes of this event
};

struct TopView {
  std::optional<totals::Verdict> verdict;  // of what was measured so far
  std::vector<TopEvent> events;
};

// Fails with kNotFound if there are no samples yet.
[[nodiscard]] Result<TopView> top(const TopOptions& options, const symbol::Resolver& resolver);

}  // namespace hm::query
