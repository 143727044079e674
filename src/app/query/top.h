// SPDX-License-Identifier: MIT
// The hottest functions and lines of each event, with why they miss: what a live view shows.
#pragma once

#include <string>
#include <vector>

#include "analysis/cause/cause.h"
#include "analysis/hotspots/hotspots.h"
#include "base/result.h"
#include "symbol/resolver.h"

namespace hm::query {

struct TopOptions {
  std::string input;  // load_profile()
  size_t rows = 60;   // of each table
  size_t places = 3;  // whose reasons are told, of each event
};

struct TopEvent {
  hotspots::Hotspots functions, lines;
  cause::Causes causes;  // of this event
};

// kNotFound where there are no samples yet.
[[nodiscard]] Result<std::vector<TopEvent>> top(const TopOptions& options, const symbol::Resolver& resolver);

}  // namespace hm::query
