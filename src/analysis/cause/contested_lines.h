// SPDX-License-Identifier: MIT
// Lines that threads or processes would take from each other: told from who touches which bytes, in windows
// of time, where accesses were sampled (memory_loads, memory_stores). For what no PMU has seen bounce:
// threads and processes under Valgrind, which run one at a time, and lines that would bounce between cores if
// they ran in parallel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/cause/shared_line.h"
#include "profile/filter.h"
#include "profile/profile.h"
#include "record/extension.h"

namespace hm::cause {

struct ContestedLine {
  SharedLine line;  // its address as the first thread that used it has it
  record::MissClass sharing = record::MissClass::kNone;  // true or false
  uint64_t accesses = 0;                                 // estimated, of all threads
  double written = 0;                                    // the part of these that write
  // An upper bound of how often it went from one thread to another: as if in each window they had used it
  // alternately, as often as they could, while one of them writes.
  uint64_t most_handovers = 0;
  std::vector<std::string> functions;  // with the most accesses, the three first
};

struct ContestedLines {
  uint64_t accesses_sampled = 0;     // 0: the recording has no samples of loads, or of stores
  uint64_t all = 0;                  // lines that several threads used, one of them writing, in one window
  std::vector<ContestedLine> lines;  // most hand-overs first
};

inline constexpr uint64_t kContestWindowNs = 100'000'000;

// The `limit` first; 0: all.
[[nodiscard]] ContestedLines find_contested_lines(const profile::Profile& profile,
                                                  const profile::Filter& filter, size_t limit);

}  // namespace hm::cause
