// SPDX-License-Identifier: MIT
// IDs of the events. Freestanding, because the software PMU's engines include it.
#pragma once

#include <stdint.h>

namespace hm::event {

// The order is that of the table in event_template.cc. The number is the `config` of a software PMU event.
enum class EventId : uint8_t {
  kInstrRetired,
  kUopRetired,
  kMemoryLoads,
  kMemoryStores,
  kMemoryMoves,
  kPackedSpRetired,
  kPackedDpRetired,
  kScalarSpRetired,
  kScalarDpRetired,
  kMmx64Retired,
  kSimd128Retired,
  kX87FpRetired,
  kX87SimdMemoryMovesRetired,
  kL1CacheMiss,
  kL2CacheMiss,
  kL3CacheMiss,
  kL1StoreMiss,
  kDtlbLoadMiss,
  kDtlbStoreMiss,
  kDtlbAllMiss,
  kMobLoadReplayRetired,
  kSplitLoadRetired,
  kSplitLoadMiss,
  kSplitStoreMiss,
  kSharedLineHit,
  kICacheMiss,
  kSplitFetchMiss,
  kItlbMiss,
  kBranchRetired,
  kBranchMispredict,
  kClock,
  kMemoryWait,
  kL2Wait,
  kL3Wait,
  kDramWait,
  kPeerWait,
  kTlbWait,
  kFetchWait,
  kBranchWait,
};

inline constexpr unsigned kEventCount = static_cast<unsigned>(EventId::kBranchWait) + 1;

// The events in cycles that a core waits are the last ones, memory_wait first.
inline constexpr unsigned kWaitEvents = kEventCount - static_cast<unsigned>(EventId::kMemoryWait);

constexpr unsigned index_of(EventId id) { return static_cast<unsigned>(id); }

}  // namespace hm::event
