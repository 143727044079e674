// SPDX-License-Identifier: MIT
// One modelled core: the models that decide events, and what it remembers from one event to the next.
// Freestanding. An engine has one for each thread that it runs in parallel; the thread that runs on it has
// exclusive use of it.
#pragma once

#include <stdint.h>

#include "model/branch_predictor.h"
#include "model/machine.h"
#include "model/stack_distances.h"
#include "model/store_buffer.h"
#include "pmu/soft/ring/session_layout.h"
#include "pmu/soft/sampling/recent_misses.h"
#include "pmu/soft/sampling/sample_record.h"

namespace hm::soft {

// Twice the slots (instructions and data accesses) that the core has run: each slot has two stamps of its
// own. The count continues from one thread's time slice to the next one's.
using Tick = uint64_t;
inline constexpr Tick kFirstTick = 2;  // a stamp is never 0

// A core's filters, as large as any geometry makes them: for an engine that puts them where translated code
// finds them at addresses that do not change.
struct CoreFilters {
  static constexpr uint32_t kNowhere = model::kMaxL1Places;  // a place whose stamp nobody reads

  alignas(64) model::DataPlace data[model::kMaxL1Places + 1];
  alignas(64) model::StorePlace stores[model::kMaxL1Places + 1];
  alignas(64) model::CodePlace code[model::kMaxL1Places];
  alignas(64) uint16_t hints[model::kMaxHints];

  // Hints and presence words are offsets from addresses this far before `data` and `code`.
  [[nodiscard]] model::FilterTables tables(uint16_t data_offset, uint32_t code_offset) {
    stores[kNowhere].passing = model::kNoLineAddress;
    return {hints, data, stores, code, data_offset, code_offset};
  }
};

struct ModelledCore {
  model::Machine machine;
  model::BranchPredictor predictor;
  model::StoreBuffer store_buffer;
  BranchStack branches{};  // of the thread that runs
  RecentMisses recent_misses;
  model::StackDistances sizes;  // of all sizes that the session asks about
  model::StackDistances further_sizes[model::SizeRanges::kMostFurther];
  model::StackDistances::Depths depths{};  // of the access that was given to these last

  Tick tick = kFirstTick;                    // where the next thread's time slice begins
  uint64_t stall_cycles = 0;                 // of the cost model, beyond one cycle a slot
  uint64_t idle_cycles = 0;                  // run_cycles_at()
  uint64_t counted_cycles = kFirstTick / 2;  // those that the clock event has counted
  Tick last_fetch_miss = 0;                  // the stamp of the last code line that missed

  uint64_t told_tlb_cycles = 0;  // when a sample last said what the TLBs hold

  // Whether the sample at this cycle says what the TLBs hold, as one does every so many cycles; 0: none does.
  bool tells_tlb(uint64_t cycles, uint64_t every) {
    if (every == 0 || cycles - told_tlb_cycles < every) return false;
    told_tlb_cycles = cycles;
    return true;
  }

  // The cost model's cycles so far, at the tick `now`.
  [[nodiscard]] uint64_t cycles_at(Tick now) const { return now / 2 + stall_cycles; }

  // The run's time on the modelled machine, in cycles since it began: those of the core, and how long it had
  // nothing to run.
  [[nodiscard]] uint64_t run_cycles_at(Tick now) const { return cycles_at(now) + idle_cycles; }
  // The core had nothing to run until then, if that is later than `now`.
  void idle_until(uint64_t run_cycles, Tick now) {
    uint64_t so_far = run_cycles_at(now);
    if (run_cycles > so_far) idle_cycles += run_cycles - so_far;
  }

  // Adds what was counted of all sizes since the last time to the process's sums, as other cores do;
  // `in_bursts`: to one of the batches, too.
  void settle_sizes(RingStatus& status, bool in_bursts);
};

// From which a session's models are built. They ask `more` for memory as the program uses more of its own.
struct ModelPlan {
  model::MachineGeometry geometry;
  uint32_t most_cores;
  bool classifies_misses;   // samples give the class of a miss
  bool classifies_fetches;  // likewise of code
  model::SizeRanges sizes;
  model::MemorySource more;
};

ModelPlan model_plan(const Session& session, uint32_t most_cores, model::MemorySource more);

// The levels that cores share: how many bytes they need, and how they are built in `zeroed_block`, at a
// multiple of 64 bytes, which belongs to them from then on.
uint64_t shared_bytes(const ModelPlan& plan);
model::SharedLevels build_shared(const ModelPlan& plan, void* zeroed_block);

// Likewise a core, which must not move afterwards; `filters` are the tables that translated code checks.
uint64_t core_bytes(const ModelPlan& plan, model::FilterTables filters);
void build_core(ModelledCore& core, const ModelPlan& plan, model::FilterTables filters,
                model::SharedLevels& shared, void* zeroed_block);
// Builds a core of these levels anew, whose models may be inconsistent.
void rebuild_core(ModelledCore& core, const ModelPlan& plan, model::FilterTables filters,
                  model::SharedLevels& shared, void* zeroed_block);

}  // namespace hm::soft
