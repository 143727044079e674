// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/demand.h"

namespace hm::soft {

using event::EventId;

bool Demand::records(BranchKind kind) const {
  if ((branch_filter & kBranchAny) != 0) return kind != BranchKind::kNone;
  if (kind == BranchKind::kCall || kind == BranchKind::kIndirectCall)
    return (branch_filter & kBranchCall) != 0;
  return kind == BranchKind::kReturn && (branch_filter & kBranchReturn) != 0;
}

Demand demand_of(const Session& session) {
  const auto counted = [&](EventId id) { return session.events[event::index_of(id)].counted != 0; };
  const auto sampled = [&](EventId id) { return session.events[event::index_of(id)].sampled != 0; };
  Demand demand{};
  demand.data = session.models == Models::kAll;
  demand.code = session.models != Models::kNone && session.geometry.models_code();
  demand.instructions = sampled(EventId::kInstrRetired);
  demand.memory =
      sampled(EventId::kMemoryLoads) || sampled(EventId::kMemoryStores) || sampled(EventId::kMemoryMoves);
  demand.uops = counted(EventId::kUopRetired);
  for (const SimdEvent& each : kSimdEvents) demand.simd = demand.simd || counted(each.id);
  demand.store_buffer = counted(EventId::kMobLoadReplayRetired);
  demand.sizes = session.sizes.lines.set_counts != 0;
  demand.branches = counted(EventId::kBranchRetired);
  demand.predicts_returns = counted(EventId::kBranchMispredict);
  demand.predictor = demand.predicts_returns || session.calibrated != 0 || counted(EventId::kBranchWait);
  // Without calibration a misprediction has one cost, and translated code has no mean to add.
  demand.in_windows = session.calibrated != 0 && !demand.predicts_returns && !sampled(EventId::kBranchWait);
  demand.clock = counted(EventId::kClock);
  demand.branch_filter = session.branch_filter;
  return demand;
}

}  // namespace hm::soft
