// SPDX-License-Identifier: MIT
// Where the samples are: rows by function, line, object, thread or event, or by what was accessed.
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

struct Options {
  std::vector<SortKey> keys{SortKey::kFunction};
  profile::FilterOptions filter;
  // By line: the line of the innermost inlined function, not of the function with a symbol. Among callers:
  // inlined functions too.
  bool inlines = true;
  bool callers = false;
  bool latencies = false;           // how long each row's accesses waited: rows with the longest total first
  double caller_min_share = 0.005;  // of the row's samples: smaller branches are left out
  size_t limit = 0;                 // rows; 0: all
};

struct Count {
  uint64_t samples = 0;
  std::optional<uint64_t> estimated;  // events: the sum of the periods
  std::optional<profile::Share>
      share;  // of all the event's samples, filtered or not, as perf's percentages are
};

struct Row {
  std::vector<std::string> keys;              // one for each sort key
  std::optional<std::string> dso;             // nullopt where the row's samples are in several
  std::vector<Count> counts;                  // one for each of Hotspots::events
  std::vector<callers::Caller> callers;       // most samples first
  std::optional<profile::Latency> latency{};  // of the events shown; nullopt where not wanted or not recorded
  double latency_share = 0;                   // of the total of all rows
};

struct EventSummary {
  std::string name;
  uint64_t samples = 0;  // all of them, filtered or not
  std::optional<uint64_t> estimated;
};

struct Hotspots {
  std::vector<SortKey> keys;
  std::vector<EventSummary> events;  // those that the filter lets through
  std::vector<Row> rows;             // by the first event's weight, then the next one's
  size_t all_rows = 0;               // before the limit
  bool lacks_callers = false;        // they are asked for, and no sample has any
  bool latencies = false;            // as Options::latencies
  std::string no_shares;             // why there are none; empty: there are
};

// A sample belongs to the function whose symbol covers its ip, inlined functions or not, as in perf report.
// kInvalidArgument where the filter names an unknown event.
Result<Hotspots> find_hotspots(const profile::Profile& profile, const symbol::Resolver& resolver,
                               const Options& options);

}  // namespace hm::hotspots
