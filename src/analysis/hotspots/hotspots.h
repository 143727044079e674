// SPDX-License-Identifier: MIT
// Groups the samples into rows by function, line, object, thread or event, or by the accessed data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/callers/caller.h"
#include "analysis/hotspots/sort_key.h"
#include "base/result.h"
#include "profile/event_counts.h"
#include "profile/filter.h"
#include "profile/latencies.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::hotspots {

// An interval that ends with the last sample. `seconds`: the time in it during which events were counted.
struct Recent {
  uint64_t since_ns = 0;  // samples with a later time belong to it
  double seconds = 0;
};

struct Options {
  std::vector<SortKey> keys{SortKey::kFunction};
  profile::FilterOptions filter;
  // By function and by line: true uses the innermost inlined function, false the function with a symbol.
  // Among callers: true includes inlined functions.
  bool inlines = true;
  bool functions_with_symbol = false;  // by function: the function with a symbol in any case
  bool callers = false;
  // Compute also inclusive counts, if the rows are functions (Grouping::groups_functions) and samples have
  // callers. Functions that only call others then have rows, too.
  bool inclusive = false;
  bool by_inclusive = false;        // sort rows by their inclusive counts instead of their own
  bool latencies = false;           // report access latencies and sort rows by their total latency
  double caller_min_share = 0.005;  // minimum fraction of the row's samples for a branch of the caller tree
  size_t limit = 0;                 // maximum number of rows; 0: all
  std::optional<Recent> recent;     // report rates during this interval
};

struct Count {
  uint64_t samples = 0;
  std::optional<uint64_t> estimated;  // events: the sum of the sampling periods
  std::optional<profile::Share>
      share;  // fraction of all samples of the event, filtered or not, as perf computes percentages
  // Events per second during Options::recent; nullopt without it, if no event was sampled then, or if a
  // sample has no time or no period.
  std::optional<double> per_second{};
};

struct Row {
  std::vector<std::string> keys;              // one per sort key
  std::optional<std::string> dso;             // nullopt if the row's samples are in several objects
  std::vector<Count> counts;                  // one per entry of Hotspots::events
  std::vector<callers::Caller> callers;       // most samples first
  std::optional<profile::Latency> latency{};  // of the shown events; nullopt if not requested or not recorded
  double latency_share = 0;                   // fraction of the total latency of all rows
  // Source file of the row's function, if another row has a function of this name in this object.
  std::string file{};
  std::string short_file{};  // end of `file` that the other rows of this name do not have
  // Whole path of the source file if rows are lines, which name only its last part; empty if unknown.
  std::string line_path{};
  // Samples with the row's function anywhere in the call chain, one per entry of Hotspots::events. A function
  // that is in a chain several times counts once. Empty unless Hotspots::inclusive.
  std::vector<Count> inclusive{};
};

struct EventSummary {
  std::string name;
  uint64_t samples = 0;  // all samples, filtered or not
  std::optional<uint64_t> estimated;
};

struct Hotspots {
  std::vector<SortKey> keys;
  std::vector<EventSummary> events;  // events that pass the filter
  std::vector<Row> rows;             // by weight of the first event; later events break ties
  size_t all_rows = 0;               // number of rows before the limit
  bool lacks_callers = false;        // callers were requested, but no sample has a call chain
  bool latencies = false;            // copy of Options::latencies
  bool inclusive = false;            // the rows have inclusive counts
  bool rates = false;                // Options::recent was set
  std::string no_shares;             // reason why shares are missing; empty if there are shares
};

// Attributes a sample to the innermost function at its instruction pointer, inlined or not, or without
// Options::inlines to the function whose symbol covers it, as perf report does. Fails with kInvalidArgument
// if the filter names an unknown event.
Result<Hotspots> find_hotspots(const profile::Profile& profile, const symbol::Resolver& resolver,
                               const Options& options);

}  // namespace hm::hotspots
