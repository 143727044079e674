// SPDX-License-Identifier: MIT
// How many misses a cache of each size would have: of the whole run, counted, and of each function, source
// line or data object, estimated from its samples.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "profile/event_counts.h"
#include "profile/filter.h"
#include "profile/profile.h"
#include "profile/sizes.h"
#include "symbol/resolver.h"

namespace hm::sizes {

// What makes a row.
enum class By { kFunction, kLine, kObject };
[[nodiscard]] constexpr std::string_view name_of(By by) {
  return by == By::kFunction ? "function" : by == By::kLine ? "line" : "object";
}

[[nodiscard]] constexpr std::optional<By> by_named(std::string_view name) {
  for (By by : {By::kFunction, By::kLine, By::kObject}) {
    if (name_of(by) == name) return by;
  }
  return std::nullopt;
}

struct Options {
  profile::FilterOptions filter;
  size_t limit = 5;  // rows; 0: all
  By by = By::kFunction;
};

// A cache, and what part of the accesses would miss it.
struct Point {
  uint64_t bytes = 0;
  uint32_t sets = 0;
  uint32_t ways = 0;
  profile::Share missed;  // where it was counted exactly, low and high are the value
};

// From the smallest cache to the largest, one of each size.
using Curve = std::vector<Point>;

// The smallest cache beyond which more bytes hardly help, and what a smaller one costs.
struct Need {
  Point enough;
  Point smaller;  // of at most three quarters of its bytes
  // What misses there of what misses in `enough`; nullopt where nothing is known to miss there.
  std::optional<double> times;
};

struct Row {
  std::string name;
  std::string dso;  // of a function
  uint64_t samples = 0;
  profile::Share share;  // of the accesses
  Curve curve;
  std::optional<Need> need;
};

struct Counted {
  profile::Sizes counted;  // every number of sets and ways
  Curve curve;
  std::optional<Need> need;
};

struct Sizes : Counted {
  std::vector<Counted> further;  // of lines of other sizes, and of pages
  By by = By::kFunction;
  std::string event;     // whose samples the rows are from; empty: there is none of all accesses
  uint64_t samples = 0;  // of it
  size_t all_rows = 0;
  std::vector<Row> rows;  // most accesses first
};

// kNotFound where the recording tells of no sizes. Objects are those of a profile with data objects.
[[nodiscard]] Result<Sizes> find_sizes(const profile::Profile& profile, const symbol::Resolver& resolver,
                                       const Options& options);

// nullopt where all sizes miss about as often, or too little is known to say.
[[nodiscard]] std::optional<Need> find_need(const Curve& curve);

}  // namespace hm::sizes
