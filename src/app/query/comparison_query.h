// SPDX-License-Identifier: MIT
// Compares recordings, and checks the changes against limits.
#pragma once

#include <string>
#include <vector>

#include "analysis/diff/profile_diff.h"
#include "app/query/load.h"
#include "base/result.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::query {

// Defines the rows.
struct RowOptions {
  std::string sort;      // sort keys separated by commas; empty: those of the baseline, else function
  bool any_dso = false;  // match functions regardless of their program or library
  Reading reading;       // for load_profile()
};

struct DiffOptions {
  // BEFORE and AFTER. Each is a recording or a baseline, or several separated by commas. Empty: perf.data.old
  // and perf.data.
  std::vector<std::string> sides;
  RowOptions rows;
  std::vector<std::string> limits;  // in the format of diff::parse_limit()
  diff::Options diff;               // its limits are ignored
};

[[nodiscard]] Result<diff::Diff> compare(const DiffOptions& options, const symbol::Resolver& resolver);

// Returns true if a growth exceeds its limit, or if the function of a limit no longer exists.
[[nodiscard]] bool exceeds_a_limit(const diff::Diff& result);

struct BaselineOptions {
  std::string input = "perf.data";  // a recording or a baseline
  RowOptions rows;
  double min_share = 0.005;  // minimum fraction of an event's samples for a row to be kept
};

// Returns a recording's totals and largest rows as JSON, which compare() accepts in place of a recording.
[[nodiscard]] Result<std::string> make_baseline(const BaselineOptions& options,
                                                const symbol::Resolver& resolver);

// The baselines and the limits for recordings that are about to be made.
struct Gate {
  std::vector<diff::Recording> baselines;  // repeated runs, as a rule a single one
  std::vector<diff::Limit> limits;
  std::vector<std::string> events;  // to compare; empty: all
  // Fail if the engine or the modelled machine differs from that of the baselines, even without limits.
  bool same_machine = false;
};
// `baselines` are files, at least one.
[[nodiscard]] Result<Gate> read_gate(const std::vector<std::string>& baselines,
                                     const std::vector<std::string>& limits);
// Returns what compare() needs of a new recording, called `name`.
[[nodiscard]] Result<diff::Recording> reduced(const Gate& gate, const profile::Profile& after,
                                              const symbol::Resolver& resolver, const std::string& name);
// `after` are one or more results of reduced(). Fails with kInvalidArgument if the limits cannot be checked,
// or if the sides were measured on different defined machines.
[[nodiscard]] Result<diff::Diff> compare(const Gate& gate, std::vector<diff::Recording> after);

}  // namespace hm::query
