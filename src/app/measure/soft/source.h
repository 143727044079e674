// SPDX-License-Identifier: MIT
// The software PMU as a source.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "event/event_id.h"
#include "pmu/soft/geometry/geometry.h"
#include "pmu/soft/launcher/engine_choice.h"
#include "pmu/soft/launcher/run.h"
#include "pmu/soft/ring/session_layout.h"
#include "pmu/source.h"

namespace hm::measure {

struct SoftOptions {
  std::vector<std::string> command;
  soft::AttachedTargets running;  // in place of the command, which then only says how long, natively
  // Of a recording they are sampled; else counted, beside those that are counted at no further cost.
  std::vector<event::EventId> events;
  bool sampling = true;
  soft::EngineWish engine = soft::EngineWish::kAuto;
  bool classes = true;                    // samples say why their accesses missed
  uint64_t tlb_cycles = 0;                // every so many a sample says what the TLBs hold; 0: none does
  model::SizeRanges sizes;                // caches of all these are modelled besides
  std::optional<soft::BurstPlan> bursts;  // only these are modelled; null: everything
  bool copies_only = false;               // the copying engine models nothing: what copying alone costs
  // Bits of pmu/soft/direct/decode/features.h: the copying engine's processor lacks them.
  soft::AbsentFeatures absent{};
  uint64_t period = 1000;
  uint64_t frequent_period = 1000;  // of events that a large part of all instructions have
  // So often it is told who holds the last-level cache, which the programs between the command's commas
  // share; 0: it is not, and there is one program.
  uint64_t occupancy_ms = 0;
  uint64_t most_samples = 0;  // then the program goes on without; a few more may come. 0: no limit
  bool periods_grow = false;  // with the samples (soft/ring/thinning.h)
  bool jitter = true;
  uint32_t branch_filter = 0;  // soft::BranchFilter bits
  bool call_chains = false;
  // Of each stack in which callers are looked for, by unwind tables; 0: the copying engine follows frame
  // pointers.
  uint32_t stack_bytes = 0;
  soft::GeometryOptions geometry;
  soft::CollectionLimits limits;
  soft::HeapOptions heap;  // of a recording; where only totals are wanted nothing is observed
  // Takes what the copying engine makes of the program, as text; null: nobody wants it.
  std::function<void(std::string_view)> block_trace;
  std::string traced_function;  // only blocks with code of it; empty: all
};

// Chooses the engine and the modelled machine; runs nothing yet.
[[nodiscard]] Result<std::unique_ptr<pmu::Source>> open_soft_source(const SoftOptions& options);

}  // namespace hm::measure
