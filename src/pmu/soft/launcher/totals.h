// SPDX-License-Identifier: MIT
// Totals of all processes of a session.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/size_counts.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

struct Totals {
  uint64_t slots = 0;  // instructions and data accesses
  Counted counted{};   // as in ThreadTotals
  Counted exact{};
  BurstSums bursts{};
  // Like `bursts`, but with all bursts of a ring as one observation: x are its slots, y its events.
  BurstSums episodes{};
  model::SizeCounts sizes;                                            // of all sizes that the session models
  std::array<model::SizeCounts, model::kSizeBatches> size_batches{};  // as in RingStatus
  std::array<model::SizeCounts, model::SizeRanges::kMostFurther> further_sizes{};
  // model::ReuseCounts of that range: by time class, number of sets and depth.
  std::vector<uint64_t> reuses;
  uint64_t samples = 0;
  uint64_t processes = 0;  // images: a process counts once more after each exec
  uint64_t threads = 0;
  uint64_t waits = 0;           // times that a process had to wait for the recorder
  uint64_t lost_records = 0;    // dropped by processes because this recorder freed no space for seconds
  uint64_t unread_rings = 0;    // of processes with rings that this recorder could not open
  std::string unread_reason;    // of the first unread ring
  uint64_t unrecorded = 0;      // processes that could not be recorded
  uint64_t without_frames = 0;  // processes that need physical addresses but could not get them
  uint64_t unshared = 0;        // processes with common memory that was not in the shared models
  uint64_t lost_pages = 0;      // pages of shared memory without space in the models
  uint64_t lost_flags = 0;      // reads of status flags that had not been kept
  uint64_t cut_short = 0;       // processes that the engine had to end
  std::map<LeaveReason, uint64_t> left;  // processes that continued natively, by reason
  uint64_t damaged_rings = 0;
};

}  // namespace hm::soft
