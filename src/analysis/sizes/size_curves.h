// SPDX-License-Identifier: MIT
// Miss curves: the misses of a cache of each size. Exact counts for the whole run, and estimates from samples
// for each function, source line or data object.
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
#include "profile/recorded_sizes.h"
#include "symbol/resolver.h"

namespace hm::sizes {

// The unit of a row.
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
  size_t limit = 5;  // maximum number of rows; 0: all
  By by = By::kFunction;
};

// A cache and the fraction of the accesses that miss in it.
struct Point {
  uint64_t bytes = 0;
  uint32_t sets = 0;
  uint32_t ways = 0;
  profile::Share missed;  // low and high equal the value if it was counted exactly
};

// Sorted from the smallest cache to the largest, one per size.
using Curve = std::vector<Point>;

// The smallest cache beyond which more bytes hardly help, and the cost of a smaller one.
struct Need {
  Point enough;
  Point smaller;  // at most three quarters of the bytes of `enough`
  // Ratio of the misses in `smaller` to those in `enough`; nullopt if `enough` has no known misses.
  std::optional<double> times;
};

struct Row {
  std::string name;
  std::string dso;  // set for functions
  uint64_t samples = 0;
  profile::Share share;  // fraction of the accesses
  Curve curve;
  std::optional<Need> need;
};

struct Counted {
  profile::Sizes counted;  // for every number of sets and ways
  Curve curve;
  std::optional<Need> need;
};

struct Sizes : Counted {
  std::vector<Counted> further;  // curves for other line sizes and for pages
  By by = By::kFunction;
  std::string event;     // event of the rows' samples; empty: no event covers all accesses
  uint64_t samples = 0;  // samples of the event
  size_t all_rows = 0;
  std::vector<Row> rows;  // most accesses first
};

// Fails with kNotFound if the recording has no sizes. By::kObject requires a profile loaded with data
// objects.
[[nodiscard]] Result<Sizes> find_sizes(const profile::Profile& profile, const symbol::Resolver& resolver,
                                       const Options& options);

// Returns nullopt if all sizes miss about equally often, or if the data do not suffice.
[[nodiscard]] std::optional<Need> find_need(const Curve& curve);

}  // namespace hm::sizes
