// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/modelled_core.h"

#include "pmu/soft/sampling/demand.h"
#include "pmu/soft/sampling/kernel_frames.h"

namespace hm::soft {
namespace {

model::SharedLevels make_shared(const ModelPlan& plan, model::Arena& arena) {
  return {plan.geometry, plan.max_cores, plan.more, plan.classifies_misses, arena, frame_from_kernel};
}

model::Machine make_machine(const ModelPlan& plan, model::FilterTables filters, model::Arena& arena) {
  return {plan.geometry, filters, arena, plan.classifies_misses ? plan.more : nullptr,
          plan.classifies_fetches};
}

// Chosen at random: neighbouring bursts are similar, so alternating batches would underestimate the bursts'
// variance.
uint32_t batch_of(uint64_t burst) {
  uint64_t mixed = (burst + 1) * 0x9e3779b97f4a7c15u;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;  // as in SplitMix64
  return static_cast<uint32_t>((mixed ^ (mixed >> 27)) % model::kSizeBatches);
}

}  // namespace

ModelPlan model_plan(const Session& session, uint32_t max_cores, model::MemorySource more) {
  bool classifies = session.classifies_misses != 0, samples_code = false;
  for (unsigned i = 0; i < event::kEventCount; ++i)
    samples_code |= session.events[i].sampled != 0 && is_of_code(static_cast<event::EventId>(i));
  return {session.geometry,        max_cores,    classifies, classifies && samples_code, session.sizes, more,
          session.calibrated != 0, session.costs};
}

void ModelledCore::settle_sizes(RingStatus& status, bool in_bursts) {
  const model::SizeCounts& counts = sizes.counts();
  if (counts.accesses == 0 && counts.unplaced == 0) return;
  if (in_bursts) counts.add_to(status.size_batches[batch_of(status.bursts.bursts())], sizes.range());
  sizes.counts().move_to(status.sizes, sizes.range());
  for (uint32_t i = 0; sizes.batches() != nullptr && i < model::kSizeBatches; ++i)
    sizes.batches()[i].move_to(status.size_batches[i], sizes.range());
  sizes.reuse_times().move_to(status.reuses, sizes.range());
  for (uint32_t i = 0; i < model::SizeRanges::kMaxFurther; ++i)
    further_sizes[i].counts().move_to(status.further_sizes[i], further_sizes[i].range());
}

uint64_t shared_bytes(const ModelPlan& plan) {
  model::Arena measure;
  make_shared(plan, measure);
  return measure.used_bytes();
}

model::SharedLevels build_shared(const ModelPlan& plan, void* zeroed_block) {
  model::Arena arena(zeroed_block);
  return make_shared(plan, arena);
}

uint64_t core_bytes(const ModelPlan& plan, model::FilterTables filters) {
  model::Arena measure;
  make_machine(plan, filters, measure);
  model::BranchPredictor(filters.streaks, measure);
  model::BranchCosts(filters.branch_costs, measure);
  model::StackDistances(plan.sizes.lines, measure);
  for (const model::SizeRange& further : plan.sizes.further) model::StackDistances(further, measure, false);
  return measure.used_bytes();
}

namespace {

void build_models(ModelledCore& core, const ModelPlan& plan, model::FilterTables filters,
                  void* zeroed_block) {
  model::Arena arena(zeroed_block);
  core.machine = make_machine(plan, filters, arena);
  core.predictor = model::BranchPredictor(filters.streaks, arena);
  core.branch_costs = model::BranchCosts(filters.branch_costs, arena);
  core.costs = plan.calibrated ? CoreCosts(plan.costs, plan.times_paths) : CoreCosts(plan.geometry.latency);
  core.counted_cycles = core.cycles_at(core.tick);
  core.sizes = model::StackDistances(plan.sizes.lines, arena);
  for (uint32_t i = 0; i < model::SizeRanges::kMaxFurther; ++i)
    core.further_sizes[i] = model::StackDistances(plan.sizes.further[i], arena, false);
}

}  // namespace

void build_core(ModelledCore& core, const ModelPlan& plan, model::FilterTables filters,
                model::SharedLevels& shared, void* zeroed_block) {
  build_models(core, plan, filters, zeroed_block);
  core.machine.join(shared);
}

void rebuild_core(ModelledCore& core, const ModelPlan& plan, model::FilterTables filters,
                  model::SharedLevels& shared, void* zeroed_block) {
  uint32_t number = core.machine.number();
  __builtin_memset(static_cast<void*>(&core), 0, sizeof(core));
  build_models(core, plan, filters, zeroed_block);
  core.machine.join_again(shared, number);
}

}  // namespace hm::soft
