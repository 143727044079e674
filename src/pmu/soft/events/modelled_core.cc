// SPDX-License-Identifier: MIT
#include "pmu/soft/events/modelled_core.h"

namespace hm::soft {

uint64_t core_bytes(const model::MachineGeometry& geometry, model::FilterTables filters,
                    model::MemorySource more) {
  model::Arena measure;
  model::Machine(geometry, filters, measure, more);
  model::BranchPredictor{measure};
  return measure.used_bytes();
}

void build_core(ModelledCore& core, const model::MachineGeometry& geometry, model::FilterTables filters,
                model::MemorySource more, void* zeroed_block) {
  model::Arena arena(zeroed_block);
  core.machine = model::Machine(geometry, filters, arena, more);
  core.predictor = model::BranchPredictor(arena);
}

}  // namespace hm::soft
