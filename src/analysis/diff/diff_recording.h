// SPDX-License-Identifier: MIT
// The data of a recording that a comparison uses. A baseline stores exactly this data
// (analysis/diff/baseline.h).
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "symbol/code/code_sketch.h"

namespace hm::diff {

// Names of a row, one per entry of Recording::columns. Rows of two recordings match if their names are equal;
// addresses are not compared because they change between builds.
using Names = std::vector<std::string>;

// Returns the names with another function in the column.
[[nodiscard]] Names with_function(Names names, size_t column, const std::string& function);

struct RowCount {
  uint64_t samples = 0;
  uint64_t weight = 0;  // sum of the samples' periods; number of samples if there are no periods
};

// The part of a row that belongs to code of inlined functions.
struct InlinedPart {
  Names row;
  std::vector<std::string> functions;  // innermost first; without functions that the row itself stands for

  auto operator<=>(const InlinedPart&) const = default;  // NOLINT(modernize-use-nullptr)
};

// Properties that identify a function in another build if its name has changed.
struct FunctionOrigin {
  std::string file;   // base name of the source file of its first line; empty: unknown
  uint32_t line = 0;  // first line; 0: unknown
  symbol::CodeSketch code;
  // Source name, if the name in the rows is this one and a file, "walk (one.c)"; else empty.
  std::string name{};
};

struct Event {
  std::string name;
  // Counted value, scaled up if the hardware counter was multiplexed, else the sum of the samples' periods.
  // nullopt if neither is known.
  std::optional<double> total;
  bool counted = false;       // true: counted; false: estimated from samples
  double running = 1;         // fraction of the time that its counter ran
  bool instructions = false;  // the event counts instructions
  bool sampled = false;       // the fields below were measured
  bool complete = false;      // every event was sampled (-c 1)
  uint64_t samples = 0;
  uint64_t weight = 0;           // sum over all samples, as RowCount::weight
  double effective_samples = 0;  // profile::EventTotals::effective_samples()
  std::map<Names, RowCount> rows;
  std::map<InlinedPart, RowCount> inlined{};  // parts of rows; each part's row is in `rows` too
};

inline constexpr std::string_view kSoftwarePmu = "software";  // value of Recording::pmu for the software PMU
inline constexpr std::string_view kRandomLayout = "random";   // of Recording::layout, see there

struct Recording {
  std::string name;  // file name
  bool baseline = false;
  std::string pmu;  // pmu, engine, machine and collected are as in profile::Origin; empty if unknown
  std::string engine;
  std::string machine;
  std::string costs;  // of modelled cycles, and so of waits: profile::Origin::costs_text; empty if unknown
  std::string collected;
  std::vector<std::string> command;
  std::string reproducible;  // as in profile::Origin
  // Number of the memory layout; empty: the usual one; kRandomLayout: one that only this run had.
  std::string layout;
  std::string cores;  // modelled cores of each process; empty: unknown, or without influence
  std::string processor;
  std::string processor_features;  // separated by blanks; the features and caches are as in profile::Origin
  std::string processor_caches;
  std::string recorder;              // version of the recording program
  std::vector<std::string> remarks;  // sentences about problems during recording
  std::vector<std::string> columns;  // "function", "dso"
  bool partial = false;  // only a part of the run was sampled, and so the shares of its rows are unknown
  std::optional<double> rows_from;  // rows with a smaller share of their event's samples are omitted
  std::vector<Event> events;
  bool knows_inlines = false;                       // Event::inlined was determined
  std::map<std::string, FunctionOrigin> origins{};  // known origins, by the rows' function names
  // Functions defined in the program, with or without samples; only names that were looked up.
  std::set<std::string> defined{};
  // Names in the file of functions that match_functions() renamed, by their names in the rows.
  std::map<std::string, std::string> other_names{};

  // Returns nullptr if there is no event with this name.
  [[nodiscard]] const Event* event(std::string_view event_name) const;
  // Returns the name of the executed file among the rows' objects; empty if no row or command contains it.
  [[nodiscard]] std::string program() const;
  // Renames the object `from` to `to` in all rows.
  void rename_object(const std::string& from, const std::string& to);
  // Returns the index of the function among a row's names; nullopt if rows are not by function.
  [[nodiscard]] std::optional<size_t> function_column() const;
  // Returns the name of a row's function without the file that a recording adds if the name is not unique.
  [[nodiscard]] const std::string& plain_name(const std::string& function) const;
  // Replaces the names of rows; sums up rows that get equal names.
  void rename_rows(const std::function<Names(const Names&)>& new_name);
};

}  // namespace hm::diff
