// SPDX-License-Identifier: MIT
// What all processes of a session have done, together.
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
  // The same where all bursts of a ring are one observation: x are its slots, y its events.
  BurstSums episodes{};
  model::SizeCounts sizes;  // of all sizes that the session asks about
  std::array<model::SizeCounts, model::kSizeBatches> size_batches{};  // as in RingStatus
  std::array<model::SizeCounts, model::SizeRanges::kMostFurther> further_sizes{};
  // model::ReuseCounts of that range: by class of time, number of sets and depth.
  std::vector<uint64_t> reuses;
  uint64_t samples = 0;
  uint64_t processes = 0;  // images: a process that calls exec counts once for each
  uint64_t threads = 0;
  uint64_t waits = 0;           // times that a process had to wait for the recorder
  uint64_t lost_records = 0;    // dropped by processes because this recorder freed no space for seconds
  uint64_t unread_rings = 0;    // of processes whose memory for samples this recorder could not open
  std::string unread_reason;    // of the first
  uint64_t unrecorded = 0;      // processes that could not be recorded
  uint64_t without_frames = 0;  // processes that were to go by physical addresses, and were not told them
  uint64_t unshared = 0;        // processes whose common memory was not in the shared models
  uint64_t lost_pages = 0;      // of shared memory: there was no room for them
  uint64_t lost_flags = 0;      // reads of status flags that had not been kept
  uint64_t cut_short = 0;       // processes that the engine had to end
  std::map<LeaveReason, uint64_t> left;  // processes that went on natively, by the reason
  uint64_t damaged_rings = 0;
};

}  // namespace hm::soft
