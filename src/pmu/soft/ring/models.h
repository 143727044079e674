// SPDX-License-Identifier: MIT
// Which models decide an event. An engine models only what the events of its session need. Freestanding.
#pragma once

#include <stdint.h>

#include "event/event_id.h"

namespace hm::soft {

// Each includes those before it.
enum class Models : uint32_t {
  kNone,     // no cache and no TLB: events of retired instructions, and mispredicted branches
  kFetches,  // the first-level cache and TLB for code: misses of fetches
  kAll,      // all caches and TLBs: everything else, cycles included
};

// Returns the models that the count of an event needs. Its samples need more if they contain the level that
// the data came from.
constexpr Models models_of(event::EventId id) {
  using enum event::EventId;
  switch (id) {
    case kInstrRetired:
    case kUopRetired:
    case kMemoryLoads:
    case kMemoryStores:
    case kMemoryMoves:
    case kPackedSpRetired:
    case kPackedDpRetired:
    case kScalarSpRetired:
    case kScalarDpRetired:
    case kMmx64Retired:
    case kSimd128Retired:
    case kX87FpRetired:
    case kX87SimdMemoryMovesRetired:
    case kMobLoadReplayRetired:
    case kBranchRetired:
    case kBranchMispredict:
      return Models::kNone;
    case kICacheMiss:
    case kSplitFetchMiss:
    case kItlbMiss:
      return Models::kFetches;
    default:
      return Models::kAll;
  }
}

}  // namespace hm::soft
