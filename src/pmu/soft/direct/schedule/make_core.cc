// SPDX-License-Identifier: MIT
// Creates a modelled core in one range of address space with its models and its code pages.
#include "pmu/soft/direct/core/frequent_events.h"
#include "pmu/soft/direct/core/indirect_targets.h"
#include "pmu/soft/direct/core/switch.h"
#include "pmu/soft/direct/core/touch_parts.h"
#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"
#include "pmu/soft/direct/schedule/cores.h"

namespace hm::soft::direct {
namespace {

constexpr uint64_t kCodePageBytes = 256u << 20;

uint64_t whole_pages(uint64_t bytes) { return (bytes + 4095) & ~uint64_t{4095}; }

// Maps a core of `bytes` bytes, behind it a touch table, which is inaccessible, if it is to have one. Returns
// null if there is no memory.
Core* map_core(uint64_t bytes, uint64_t table_bytes) {
  if (table_bytes == 0) return static_cast<Core*>(map_pages(bytes, kReadWrite));
  if (bytes > kTouchTableOffset) return nullptr;
  uint64_t all = kTouchTableOffset + table_bytes;
  void* block = map_pages(all, kInaccessible);
  if (block == nullptr) return nullptr;
  auto* core = static_cast<Core*>(block);
  if (make_accessible(block, bytes) && prepare_touch_table(*core, table_bytes)) return core;
  unmap_pages(block, all);
  return nullptr;
}

void* more_memory(uint64_t bytes) { return take_bytes(bytes); }

}  // namespace

// Returns the levels that cores share, built at the first call; null if there is no memory for them.
model::SharedLevels* Cores::build_shared_levels(const ModelPlan& plan) {
  if (built_shared_) return &shared_;
  void* block = map_pages(whole_pages(shared_bytes(plan)), kReadWrite);
  if (block == nullptr) return nullptr;
  shared_ = build_shared(plan, block);
  built_shared_ = true;
  on_shared_(shared_);
  return &shared_;
}

ModelPlan Cores::plan_models() {
  ModelPlan plan = model_plan(*recording_.session(), most_ + max_extra_, more_memory);
  plan.times_paths = true;
  return plan;
}

Core* Cores::make_core() {
  Session* recording = recording_.session();
  ModelPlan plan = recording == nullptr ? ModelPlan{} : plan_models();
  model::SharedLevels* shared = recording == nullptr ? nullptr : build_shared_levels(plan);
  if (recording != nullptr && shared == nullptr) return nullptr;
  uint64_t models = recording == nullptr ? 0 : whole_pages(core_bytes(plan, {}));
  uint64_t pages_offset = kModelsOffset + models;
  uint64_t bytes = pages_offset + kCodePageBytes;
  uint64_t table_bytes = in_bursts() ? touch_table_bytes(model::log2_of(plan.geometry.line_bytes)) : 0;
  Core* core = map_core(bytes, table_bytes);
  if (core == nullptr) return nullptr;
  auto* block = reinterpret_cast<char*>(core);
  core->self = core;
#define HM_THUNK(name, function, text) core->thunks[name] = reinterpret_cast<void*>(function);
  HM_THUNKS(HM_THUNK)
#undef HM_THUNK
  core->tick = core->slice_tick = kFirstTick;
  core->between_bursts = in_bursts();
  forget_indirect_targets(*core);
  if (recording != nullptr) {
    core->samples_ahead = finds_samples_ahead(*recording);
    core->model.tick = kFirstTick;
    build_core(core->model, plan, core->filters.tables(kDataOffset, kCodeOffset), *shared,
               block + kModelsOffset);
    pages_offset_ = pages_offset;
    if (!code_pages_.add_core(core, {pages_offset, kCodePageBytes})) return nullptr;
  }
  return core;
}

// Resets the core to its initial state, except for its ticks: the thread that was using the models has left
// them partly updated.
void Cores::begin_anew(Core& core) {
  if (recording_.session() == nullptr) return;
  constexpr int64_t kDontNeed = 4;  // MADV_DONTNEED: private memory without a file is zeroed
  system_call(kMadvise, pointer_argument(&core) + static_cast<int64_t>(kModelsOffset),
              static_cast<int64_t>(pages_offset_ - kModelsOffset), kDontNeed);
  __builtin_memset(static_cast<void*>(&core.filters), 0, sizeof(core.filters));
  rebuild_core(core.model, plan_models(), core.filters.tables(kDataOffset, kCodeOffset), shared_,
               reinterpret_cast<char*>(&core) + kModelsOffset);
  core.model.tick = core.tick;
  core.model.counted_cycles = core.model.cycles_at(core.tick);
  core.pending.count = 0;
  code_pages_.clear(core);
}

}  // namespace hm::soft::direct
