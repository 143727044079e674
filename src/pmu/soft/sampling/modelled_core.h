// SPDX-License-Identifier: MIT
// One modelled core: the models that decide events, and their state between events. Freestanding. An engine
// has one for each thread that it runs in parallel. The thread that runs on it has exclusive use of it.
#pragma once

#include <stdint.h>

#include "model/branch/branch_costs.h"
#include "model/branch/branch_predictor.h"
#include "model/machine.h"
#include "model/stack_distances.h"
#include "model/store_buffer.h"
#include "pmu/soft/ring/session_layout.h"
#include "pmu/soft/sampling/core_costs.h"
#include "pmu/soft/sampling/recent_misses.h"
#include "pmu/soft/sampling/sample_record.h"
#include "pmu/soft/sampling/whole_cycles.h"

namespace hm::soft {

// Twice the slots (instructions and data accesses) that the core has run, because each slot has two stamps.
// The count continues from one thread's time slice to the next.
using Tick = uint64_t;
inline constexpr Tick kFirstTick = 2;  // a stamp is never 0

// A core's filters, at the maximum size of any geometry, for an engine that keeps them at fixed addresses for
// translated code.
struct CoreFilters {
  static constexpr uint32_t kNowhere = model::kMaxL1Places;  // a slot with a stamp that is never read

  alignas(64) model::DataPlace data[model::kMaxL1Places + 1];
  alignas(64) model::StorePlace stores[model::kMaxL1Places + 1];
  alignas(64) model::CodePlace code[model::kMaxL1Places];
  alignas(64) uint16_t hints[model::kMaxHints];
  alignas(64) uint16_t streaks[model::kBranchStreaks];
  model::BranchCostTable branch_costs;

  // Hints and presence words are offsets from addresses this far before `data` and `code`.
  [[nodiscard]] model::FilterTables tables(uint16_t data_offset, uint32_t code_offset) {
    stores[kNowhere].passing = model::kNoLineAddress;
    return {hints, data, stores, code, data_offset, code_offset, streaks, &branch_costs};
  }
};

struct ModelledCore {
  model::Machine machine;
  model::BranchPredictor predictor;
  model::BranchCosts branch_costs;  // used if the engine predicts in windows only
  model::StoreBuffer store_buffer;
  BranchStack branches{};  // of the thread that runs
  RecentMisses recent_misses;
  model::StackDistances sizes;  // all sizes that the session models
  model::StackDistances further_sizes[model::SizeRanges::kMaxFurther];
  model::StackDistances::Depths depths{};  // result of the last access to `sizes` and `further_sizes`

  Tick tick = kFirstTick;  // start of the next thread's time slice
  CoreCosts costs;
  WaitSums waits;
  WholeCycles sampled_waits;    // of events that are sampled
  uint64_t idle_cycles = 0;     // run_cycles_at()
  uint64_t counted_cycles = 0;  // cycles that the clock event has counted
  Tick last_fetch_miss = 0;     // the stamp of the last code line that missed

  uint64_t reported_tlb_cycles = 0;  // time of the last sample with the TLBs' contents

  // Whether the sample at this cycle records the TLBs' contents. One sample every `every` cycles does; 0:
  // none.
  bool reports_tlb(uint64_t cycles, uint64_t every) {
    if (every == 0 || cycles - reported_tlb_cycles < every) return false;
    reported_tlb_cycles = cycles;
    return true;
  }

  // Returns the cost model's cycles up to the tick `now`.
  [[nodiscard]] uint64_t cycles_at(Tick now) const { return costs.cycles_after(now / 2); }

  // Returns the run's time on the modelled machine, in cycles since it began: the core's busy and idle
  // cycles.
  [[nodiscard]] uint64_t run_cycles_at(Tick now) const { return cycles_at(now) + idle_cycles; }
  // Marks the core as idle until `run_cycles`, if that is later than `now`.
  void idle_until(uint64_t run_cycles, Tick now) {
    uint64_t so_far = run_cycles_at(now);
    if (run_cycles > so_far) idle_cycles += run_cycles - so_far;
  }

  // Adds the counts of all sizes since the last call to the process's sums, which other cores update, too.
  // `in_bursts`: also adds them to one of the batches.
  void settle_sizes(RingStatus& status, bool in_bursts);
};

// The parameters of a session's models. They request memory from `more` as the program uses more of its own.
struct ModelPlan {
  model::MachineGeometry geometry;
  uint32_t max_cores;
  bool classifies_misses;   // samples give the class of a miss
  bool classifies_fetches;  // samples give the class of a code miss
  model::SizeRanges sizes;
  model::MemorySource more;
  bool calibrated = false;  // cycles are those of `costs`; false: those of the geometry's latencies
  model::Costs costs{};
  bool times_paths = false;  // CoreCosts
};

ModelPlan model_plan(const Session& session, uint32_t max_cores, model::MemorySource more);

// The levels that cores share: their size in bytes, and their construction in `zeroed_block`, which is
// aligned to 64 bytes and belongs to them from then on.
uint64_t shared_bytes(const ModelPlan& plan);
model::SharedLevels build_shared(const ModelPlan& plan, void* zeroed_block);

// A core's size and construction; it must not move afterwards. `filters` are the tables that translated code
// checks.
uint64_t core_bytes(const ModelPlan& plan, model::FilterTables filters);
void build_core(ModelledCore& core, const ModelPlan& plan, model::FilterTables filters,
                model::SharedLevels& shared, void* zeroed_block);
// Rebuilds a core with the levels of `plan`, after its models may have become inconsistent.
void rebuild_core(ModelledCore& core, const ModelPlan& plan, model::FilterTables filters,
                  model::SharedLevels& shared, void* zeroed_block);

}  // namespace hm::soft
