// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/diff/recording.h"
#include "analysis/diff/statistics.h"

namespace hm::diff {

// A row, or several, of one side.
struct Part {
  uint64_t samples = 0;        // of all runs
  std::vector<double> values;  // events of each run; empty where a run does not tell
  Estimate events;             // of a run in the mean
  bool exact = false;          // each event was a sample
};

// One side of a comparison: repeated runs of one thing, at least one.
class Side {
 public:
  explicit Side(std::span<const Recording> runs) : runs_(runs) {}

  [[nodiscard]] std::span<const Recording> runs() const { return runs_; }
  [[nodiscard]] bool is_software() const;
  // Its total is known in every run.
  [[nodiscard]] bool has(std::string_view event) const;
  [[nodiscard]] bool has_in_some(std::string_view event) const;
  // Of each run; empty unless has().
  [[nodiscard]] std::vector<double> totals(std::string_view event) const;
  // For each run, events of every 1000 instructions; empty where a run does not tell.
  [[nodiscard]] std::vector<double> per_thousand_instructions(std::string_view event) const;
  // The software PMU counted it, in every run.
  [[nodiscard]] bool exact(std::string_view event) const { return is_software() && counted(event); }
  [[nodiscard]] bool counted(std::string_view event) const;    // in every run
  [[nodiscard]] double running(std::string_view event) const;  // the least of the runs
  [[nodiscard]] uint64_t samples(std::string_view event) const;
  // The software PMU took a sample of each of its events, in every run (-c 1).
  [[nodiscard]] bool is_complete(std::string_view event) const;
  // A row, or the rows that `belongs` picks taken together with the parts of others that are inlined code of
  // functions that `is_inlined` picks. Of an event that has().
  //
  // Shares of several runs are pooled. Runs on the kernel's PMU are independent of each other and have as
  // many samples as all of them; those on the software PMU repeat each other, and tell no more than one.
  // Where that sampled every event (-c 1), rows are exact.
  [[nodiscard]] Part row(std::string_view event, const Names& names) const;
  [[nodiscard]] Part rows(std::string_view event, const std::function<bool(const Names&)>& belongs,
                          const std::function<bool(const std::string&)>& is_inlined) const;

 private:
  // The rows of one run that were picked.
  struct Picked {
    RowCount count;
    bool any = false;
  };
  struct Pool;

  [[nodiscard]] Part part(std::string_view event, const std::function<Picked(const Event&)>& pick) const;

  std::span<const Recording> runs_;
};

}  // namespace hm::diff
