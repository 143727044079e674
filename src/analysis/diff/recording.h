// SPDX-License-Identifier: MIT
// What a comparison uses of a recording; a baseline keeps just this (analysis/diff/baseline.h).
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

// What a row is called, a name for each of Recording::columns. Rows of two recordings belong together where
// their names are equal: addresses move from build to build.
using Names = std::vector<std::string>;

struct RowCount {
  uint64_t samples = 0;
  uint64_t weight = 0;  // the sum of their periods; their number where the samples have none
};

// A part of a row that is code of inlined functions.
struct InlinedPart {
  Names row;
  std::vector<std::string> functions;  // innermost first; without those that the row is of

  auto operator<=>(const InlinedPart&) const = default;  // NOLINT(modernize-use-nullptr)
};

// What a function is found by in another build if its name has changed.
struct FunctionOrigin {
  std::string file;   // the last component of the file with its first line; empty: not known
  uint32_t line = 0;  // its first; 0: not known
  symbol::CodeSketch code;
};

struct Event {
  std::string name;
  // Counted, and scaled up where a hardware counter was shared; else the sum of the samples' periods. nullopt
  // where neither is known.
  std::optional<double> total;
  bool counted = false;       // not estimated from samples
  double running = 1;         // the part of the time that its counter ran
  bool instructions = false;  // it counts instructions
  bool sampled = false;       // the following were measured
  bool complete = false;      // the samples are all events that there were (-c 1)
  uint64_t samples = 0;
  uint64_t weight = 0;           // as RowCount::weight, of all samples
  double effective_samples = 0;  // profile::EventTotals::effective_samples()
  std::map<Names, RowCount> rows;
  std::map<InlinedPart, RowCount> inlined{};  // parts of `rows`, whose rows are in `rows` too
};

inline constexpr std::string_view kSoftwarePmu = "software";  // Recording::pmu

struct Recording {
  std::string name;  // the file
  bool baseline = false;
  std::string pmu;  // as profile::Origin; likewise engine, machine, collected. Empty is what is not told.
  std::string engine;
  std::string machine;
  std::string collected;
  std::vector<std::string> command;
  std::string processor;
  std::string processor_features;  // with blanks between; as profile::Origin, likewise the caches
  std::string processor_caches;
  std::string recorder;              // the version of what recorded
  std::vector<std::string> remarks;  // what went wrong: sentences
  std::vector<std::string> columns;  // "function", "dso"
  std::optional<double> rows_from;   // rows with a smaller share of their event's samples were left out
  std::vector<Event> events;
  bool knows_inlines = false;                       // Event::inlined was looked for
  std::map<std::string, FunctionOrigin> origins{};  // by the rows' functions; those that are known
  // Functions that the program has, also without samples; of those that were looked for.
  std::set<std::string> defined{};
  // What the file calls functions that rows have under another name (match_functions()), by that name.
  std::map<std::string, std::string> other_names{};

  // nullptr where there is none.
  [[nodiscard]] const Event* event(std::string_view event_name) const;
  // The name, among the rows' objects, of the file that was run; empty where no row or no command says it.
  [[nodiscard]] std::string program() const;
  // Calls the object `from` of rows `to`.
  void rename_object(const std::string& from, const std::string& to);
  // Where the function is among a row's names; nullopt where rows are not by function.
  [[nodiscard]] std::optional<size_t> function_column() const;
  // Replaces the names of rows; rows whose names become equal are added up.
  void rename_rows(const std::function<Names(const Names&)>& new_name);
};

}  // namespace hm::diff
