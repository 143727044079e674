// SPDX-License-Identifier: MIT
// Totals over all processes of a session.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/size_counts.h"
#include "pmu/soft/launcher/burst_list.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

// Sums over all threads.
struct ThreadSums {
  uint64_t slots = 0;  // instructions and data accesses
  Counted counted{};   // as in ThreadTotals
  Counted exact{};
  uint64_t threads = 0;
};

struct Totals : ThreadSums {
  BurstList bursts;
  uint64_t longest_burst = 0;  // in slots
  BurstList episodes;          // like `bursts`, but with all bursts of a ring as one observation
  model::SizeCounts sizes;     // of all configured cache sizes
  std::array<model::SizeCounts, model::kSizeBatches> size_batches{};  // as in RingStatus
  std::array<model::SizeCounts, model::SizeRanges::kMaxFurther> further_sizes{};
  // model::ReuseCounts flattened: by reuse-time class, number of sets and stack depth.
  std::vector<uint64_t> reuses;
  uint64_t samples = 0;
  uint64_t processes = 0;       // program images: a process that calls exec counts once for each program
  uint64_t waits = 0;           // how often a process waited for the recorder
  uint64_t lost_records = 0;    // dropped because this recorder freed no space for seconds
  uint64_t unread_rings = 0;    // processes whose ring this recorder could not open
  std::string unread_reason;    // reason for the first unread ring
  uint64_t unrecorded = 0;      // processes that ran without a ring
  uint64_t without_frames = 0;  // processes that need physical addresses but cannot read them
  uint64_t unshared = 0;        // processes with common memory that is not in the shared models
  uint64_t lost_pages = 0;      // pages of shared memory that could not be allocated
  uint64_t lost_flags = 0;      // reads of status flags that the engine had not preserved
  uint64_t cut_short = 0;       // processes that the engine ended early
  uint64_t checking = 0;        // programs whose engine checks its invariants
  std::map<LeaveReason, uint64_t> left;  // processes that continued natively, by reason
  uint64_t outlived = 0;                 // processes that still ran when the launched program had ended
  uint64_t damaged_rings = 0;
};

}  // namespace hm::soft
