// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/diff/diff_recording.h"
#include "analysis/diff/statistics.h"

namespace hm::diff {

// One row, or several rows combined, of one side.
struct Part {
  uint64_t samples = 0;        // of all runs
  std::vector<double> values;  // events in each run; empty if unknown for a run
  Estimate events;             // mean events per run
  bool exact = false;          // each event was sampled, and all runs agree
};

// One side of a comparison: one or more repeated runs of a program.
class Side {
 public:
  explicit Side(std::span<const Recording> runs) : runs_(runs) {}

  [[nodiscard]] std::span<const Recording> runs() const { return runs_; }
  [[nodiscard]] bool is_software() const;
  // Returns true if the counts of some run depend on a memory layout that cannot be repeated.
  [[nodiscard]] bool has_random_layout() const;
  // Returns true if there are several runs, each has another memory layout, and each run of `other` has the
  // layout of the run with the same number here.
  [[nodiscard]] bool is_paired_with(const Side& other) const;
  // Returns true if the event's total is known in every run.
  [[nodiscard]] bool has(std::string_view event) const;
  [[nodiscard]] bool has_in_some(std::string_view event) const;
  // Returns the event's total in each run; empty if has() is false.
  [[nodiscard]] std::vector<double> totals(std::string_view event) const;
  // Returns, for each run, events per 1000 instructions; empty if unknown for a run.
  [[nodiscard]] std::vector<double> per_thousand_instructions(std::string_view event) const;
  // Returns true if the software PMU counted the event in every run, and counts it again if a run is
  // repeated.
  [[nodiscard]] bool exact(std::string_view event) const {
    return is_software() && counted(event) && !has_random_layout();
  }
  [[nodiscard]] bool counted(std::string_view event) const;    // in every run
  [[nodiscard]] double running(std::string_view event) const;  // minimum of the runs
  [[nodiscard]] uint64_t samples(std::string_view event) const;
  // Returns true if the software PMU sampled every occurrence of the event in every run (-c 1).
  [[nodiscard]] bool is_complete(std::string_view event) const;
  // The first function returns one row. The second combines the rows that `belongs` selects with the parts of
  // other rows that are inlined code of functions selected by `is_inlined`. Both require has(event).
  //
  // Shares of several runs are pooled. Runs on the kernel's PMU are independent, so their sample counts add
  // up. Runs on the software PMU repeat each other and have the information of a single run. Rows are exact
  // if the software PMU sampled every event (-c 1).
  [[nodiscard]] Part row(std::string_view event, const Names& names) const;
  [[nodiscard]] Part rows(std::string_view event, const std::function<bool(const Names&)>& belongs,
                          const std::function<bool(const std::string&)>& is_inlined) const;

 private:
  // The selected rows of one run.
  struct Picked {
    RowCount count;
    bool any = false;
  };
  struct Pool;

  [[nodiscard]] Part part(std::string_view event, const std::function<Picked(const Event&)>& pick) const;

  std::span<const Recording> runs_;
};

}  // namespace hm::diff
