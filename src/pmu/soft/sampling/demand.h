// SPDX-License-Identifier: MIT
// The instrumentation that an engine has to add to translated code, derived from the session at the start.
// Freestanding.
#pragma once

#include <stdint.h>

#include "pmu/soft/ring/session_layout.h"
#include "pmu/soft/sampling/instruction_class.h"

namespace hm::soft {

struct Demand {
  bool data;          // caches and TLBs of data are modelled
  bool code;          // those of code are modelled
  bool instructions;  // sample instr_retired
  bool memory;        // sample memory_loads, memory_stores or memory_moves
  bool uops;
  bool simd;  // one of the packed, scalar, MMX and x87 events
  bool store_buffer;
  bool sizes;             // all cache sizes: Session::sizes
  bool branches;          // branch_retired
  bool predictor;         // conditional branches and indirect jumps and calls are predicted
  bool predicts_returns;  // and returns
  bool in_windows;  // conditional branches may be predicted in windows only (model/branch/branch_costs.h)
  bool clock;
  uint32_t branch_filter;  // BranchFilter bits

  // Whether the instrumentation has to see every memory access.
  [[nodiscard]] bool every_access() const { return memory || store_buffer || sizes; }
  // Whether the branch stack records branches of this kind.
  [[nodiscard]] bool records(BranchKind kind) const;
};

Demand demand_of(const Session& session);

// Whether fetches of code cause the event.
constexpr bool is_of_code(event::EventId id) {
  using event::EventId;
  return id == EventId::kICacheMiss || id == EventId::kSplitFetchMiss || id == EventId::kItlbMiss ||
         id == EventId::kFetchWait;
}

// The event that counts instructions of a class; SimdClass::kNone has none.
struct SimdEvent {
  SimdClass simd;
  event::EventId id;
};
inline constexpr SimdEvent kSimdEvents[] = {
    {SimdClass::kPackedSp, event::EventId::kPackedSpRetired},
    {SimdClass::kPackedDp, event::EventId::kPackedDpRetired},
    {SimdClass::kScalarSp, event::EventId::kScalarSpRetired},
    {SimdClass::kScalarDp, event::EventId::kScalarDpRetired},
    {SimdClass::kMmx64, event::EventId::kMmx64Retired},
    {SimdClass::kSimd128, event::EventId::kSimd128Retired},
    {SimdClass::kX87, event::EventId::kX87FpRetired},
    {SimdClass::kMove, event::EventId::kX87SimdMemoryMovesRetired},
};

// Returns the uops beyond the one that uop_retired counts for every instruction (`hardmeter list` states the
// rule): one for a load that feeds an operation, two for a store.
constexpr uint64_t further_uops(const InstructionClass& kind, uint32_t loads, uint32_t stores) {
  bool plain_load = loads == 1 && stores == 0 && kind.only_moves;
  return (plain_load ? 0 : loads) + 2 * uint64_t{stores};
}

}  // namespace hm::soft
