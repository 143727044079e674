// SPDX-License-Identifier: MIT
// Finds cache lines that threads or processes would take from each other. The evidence is which thread
// touches which bytes in each time window, from sampled accesses (memory_loads, memory_stores). This covers
// bouncing that no PMU observes. One case is Valgrind, which runs one thread or process at a time. Another is
// lines that would bounce between cores only if their threads ran in parallel.
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
  SharedLine line;  // address of the line in the address space of its first user
  record::MissClass sharing = record::MissClass::kNone;  // true or false sharing
  uint64_t accesses = 0;                                 // estimated accesses of all threads
  double written = 0;                                    // fraction of the accesses that write
  // Upper bound of the transfers between threads. Assumes that in each window the threads alternated as often
  // as their accesses allow, while one of them writes.
  uint64_t max_handovers = 0;
  std::vector<std::string> functions;  // the three functions with the most accesses
};

struct ContestedLines {
  uint64_t accesses_sampled = 0;  // 0: the recording has no samples of loads, or none of stores
  uint64_t all = 0;  // lines that several threads used in one window, at least one of them writing
  std::vector<ContestedLine> lines;  // most hand-overs first
};

inline constexpr uint64_t kContestWindowNs = 100'000'000;

// Returns the `limit` lines with the most hand-overs; 0 = all. `inlines`: not null if the functions are the
// inlined ones (profile::written_functions_at).
[[nodiscard]] ContestedLines find_contested_lines(const profile::Profile& profile,
                                                  const profile::Filter& filter, size_t limit,
                                                  const symbol::Resolver* inlines = nullptr);

}  // namespace hm::cause
