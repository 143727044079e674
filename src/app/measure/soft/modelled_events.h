// SPDX-License-Identifier: MIT
// Which models a session runs, and which events they decide.
#pragma once

#include <vector>

#include "event/event_id.h"
#include "model/geometry.h"
#include "pmu/soft/ring/models.h"

namespace hm::measure {

// Counted in every session whose models decide them, because this costs nothing extra.
inline constexpr event::EventId kAlwaysCounted[] = {
    event::EventId::kInstrRetired,  event::EventId::kMemoryLoads,    event::EventId::kMemoryStores,
    event::EventId::kMemoryMoves,   event::EventId::kL1CacheMiss,    event::EventId::kL2CacheMiss,
    event::EventId::kL3CacheMiss,   event::EventId::kL1StoreMiss,    event::EventId::kDtlbLoadMiss,
    event::EventId::kDtlbStoreMiss, event::EventId::kDtlbAllMiss,    event::EventId::kSplitLoadRetired,
    event::EventId::kSplitLoadMiss, event::EventId::kSplitStoreMiss, event::EventId::kSplitFetchMiss,
    event::EventId::kICacheMiss,    event::EventId::kItlbMiss,       event::EventId::kMemoryWait,
    event::EventId::kL2Wait,        event::EventId::kL3Wait,         event::EventId::kDramWait,
    event::EventId::kPeerWait,      event::EventId::kTlbWait,        event::EventId::kFetchWait,
    event::EventId::kBranchWait,
};

// What a run models.
struct Modelled {
  soft::Models models = soft::Models::kAll;
  bool branches = false;     // mispredicted branches are part of the cycles
  bool other_cores = false;  // all accesses of several cores
};

[[nodiscard]] bool is_modelled(event::EventId id, const model::MachineGeometry& geometry,
                               const Modelled& modelled);

// Returns the models that the events need. Samples of misses contain the level that the data or code came
// from, which all levels decide together.
[[nodiscard]] soft::Models needed_models(const std::vector<event::EventId>& events, bool sampling);

}  // namespace hm::measure
