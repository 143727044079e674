// SPDX-License-Identifier: MIT
// What changed between two recordings, or two sets of repeated ones.
//
// Totals of the software PMU were counted: any change is one. Totals on the kernel's PMU vary from run to
// run, so that only repeated runs tell a change. Rows are estimated from samples; analysis/diff/statistics.h
// says how.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/diff/change.h"
#include "analysis/diff/limits.h"
#include "analysis/diff/recording.h"
#include "analysis/diff/side_description.h"
#include "analysis/diff/statistics.h"
#include "base/result.h"

namespace hm::diff {

struct Options {
  std::vector<std::string> events;  // only these; empty: all
  std::vector<Limit> limits;
  bool force = false;  // compares the software PMU with another
};

struct Total {
  std::string event;
  double before = 0;  // the mean of the runs
  double after = 0;
  Change change;
  bool estimated = false;  // a side did not count it
  double running = 1;      // the least part of the time that a run's counter ran
};

struct Row {
  Names names;
  uint64_t samples_before = 0;
  uint64_t samples_after = 0;
  Estimate before;  // events; no value where the baseline left the row out
  Estimate after;
  Change change;
};

struct EventRows {
  std::string event;
  uint64_t samples_before = 0;
  uint64_t samples_after = 0;
  bool exact = false;     // each event is a sample, so that rows are no estimates
  std::vector<Row> rows;  // the greatest change first
};

struct Diff {
  RecordingSide before;
  RecordingSide after;
  std::vector<Difference> differences;
  std::optional<std::string> processors;  // how they differ: processor_difference()
  std::vector<std::string> notes;         // how far the numbers can be trusted: sentences
  std::vector<Total> totals;              // the greatest change first, as a part of what was before
  std::vector<std::string> only_before;
  std::vector<std::string> only_after;
  std::vector<std::string> columns;  // of the rows
  // Functions of rows that have another name after: that, by the rows' name.
  std::map<std::string, std::string> renamed;
  std::vector<EventRows> rows;  // for each event that both sides sampled
  std::vector<Check> checks;    // for each limit
};

// Of at least one recording a side. kInvalidArgument where comparing means nothing: the software PMU with
// another, unless forced; rows by different columns; an event that is on no side; a limit that cannot be
// looked at.
[[nodiscard]] Result<Diff> find_diff(std::span<const Recording> before, std::span<const Recording> after,
                                     const Options& options);

}  // namespace hm::diff
