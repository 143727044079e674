// SPDX-License-Identifier: MIT
// What changed between recordings, and whether that is within limits.
#pragma once

#include <string>
#include <vector>

#include "analysis/diff/diff.h"
#include "app/query/load.h"
#include "base/result.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::query {

// What makes a row.
struct RowOptions {
  std::string sort;      // keys with commas between; empty: a baseline's, else by function
  bool any_dso = false;  // functions are matched whatever program or library they are in
  Reading reading;       // load_profile()
};

struct DiffOptions {
  // BEFORE and AFTER: each a recording or a baseline, or several with commas between. None: perf.data.old and
  // perf.data.
  std::vector<std::string> sides;
  RowOptions rows;
  std::vector<std::string> limits;  // as diff::parse_limit() reads them
  diff::Options diff;               // but for its limits
};

[[nodiscard]] Result<diff::Diff> compare(const DiffOptions& options, const symbol::Resolver& resolver);

// The gate's verdict: whether something grew by more than a limit allows, or a limit is on a function that is
// gone.
[[nodiscard]] bool exceeds_a_limit(const diff::Diff& result);

struct BaselineOptions {
  std::string input = "perf.data";  // a recording or a baseline
  RowOptions rows;
  double min_share = 0.005;  // of an event's samples: rows with less are left out
};

// A recording's totals and greatest rows as JSON, which compare() takes in a recording's place.
[[nodiscard]] Result<std::string> make_baseline(const BaselineOptions& options,
                                                const symbol::Resolver& resolver);

// What a recording that is about to be made will be compared with.
struct Gate {
  diff::Recording baseline;
  std::vector<diff::Limit> limits;
};
[[nodiscard]] Result<Gate> read_gate(const std::string& baseline, const std::vector<std::string>& limits);
// `name`: of the recording.
[[nodiscard]] Result<diff::Diff> compare(const Gate& gate, const profile::Profile& after,
                                         const symbol::Resolver& resolver, const std::string& name);

}  // namespace hm::query
