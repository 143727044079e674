// SPDX-License-Identifier: MIT
// Finds the changes between two recordings, or between two sets of repeated recordings.
//
// Totals of the software PMU are counted exactly: any difference is a change. Totals of the kernel's PMU vary
// from run to run, so only repeated runs can show a change. Rows are estimated from samples; see
// analysis/diff/statistics.h.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/diff/change.h"
#include "analysis/diff/diff_recording.h"
#include "analysis/diff/limits.h"
#include "analysis/diff/side_description.h"
#include "analysis/diff/statistics.h"
#include "base/result.h"

namespace hm::diff {

struct Options {
  std::vector<std::string> events;  // events to compare; empty: all
  std::vector<Limit> limits;
  bool force = false;  // compare the software PMU with another PMU
};

struct Total {
  std::string event;
  double before = 0;  // mean of the runs
  double after = 0;
  Change change;
  bool estimated = false;  // at least one side estimated the total from samples
  double running = 1;      // minimum, over the runs, of the fraction of time that the counter ran
};

struct Row {
  Names names;
  uint64_t samples_before = 0;
  uint64_t samples_after = 0;
  Estimate before;  // events; no value if the baseline omits the row
  Estimate after;
  Change change;
};

struct EventRows {
  std::string event;
  uint64_t samples_before = 0;
  uint64_t samples_after = 0;
  bool exact = false;     // each event is a sample, so that rows are exact
  std::vector<Row> rows;  // largest change first
};

// Member of Diff::notes if a row has only an upper bound on a side.
inline constexpr std::string_view kUpperBoundNote =
    "\"<\" is an upper bound for a row that the baseline left out as too small, or whose event has no samples";

struct Diff {
  RecordingSide before;
  RecordingSide after;
  std::vector<Difference> differences;
  std::optional<std::string>
      processors;  // sentence from processor_difference(); nullopt if the processors are equal
  std::vector<std::string> notes;  // sentences about the reliability of the numbers
  std::vector<Total> totals;       // largest relative change first
  std::vector<std::string> only_before;
  std::vector<std::string> only_after;
  std::vector<std::string> columns;  // columns of the rows
  // Functions that have another name in `after`: maps the name in the rows to that name.
  std::map<std::string, std::string> renamed;
  std::vector<EventRows> rows;  // for each event sampled on both sides
  std::vector<Check> checks;    // for each limit
};

// The comparison of one of several commands.
struct NamedDiff {
  std::string name;     // empty: the only command
  Diff diff;            // empty if there is a `failure`
  std::string failure;  // sentence: why the command could not be compared; empty: it was
};

// Compares at least one recording per side. Fails with kInvalidArgument if a comparison is meaningless. Cases
// are the software PMU against another without `force`, rows with different columns, an unknown event, and a
// limit that cannot be checked.
[[nodiscard]] Result<Diff> find_diff(std::span<const Recording> before, std::span<const Recording> after,
                                     const Options& options);

}  // namespace hm::diff
