// SPDX-License-Identifier: MIT
// What to measure with the software PMU, and how.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/keep_symbols.h"
#include "event/event_id.h"
#include "pmu/soft/geometry/geometry.h"
#include "pmu/soft/launcher/defined_machine.h"
#include "pmu/soft/launcher/engine_choice.h"
#include "pmu/soft/launcher/run.h"
#include "pmu/soft/ring/session_layout.h"
#include "pmu/source.h"

namespace hm::measure {

struct SoftOptions {
  std::vector<std::string> command;
  pmu::CommandOutput output = pmu::CommandOutput::kAsIs;
  std::string output_file;  // for kToFile
  soft::AttachedTargets
      running;  // running processes to attach to; `command` then runs natively and only sets the duration
  // Events to sample in a recording. Without sampling, events to count in addition to the ones that cost
  // nothing extra.
  std::vector<event::EventId> events;
  bool sampling = true;
  soft::EngineWish engine = soft::EngineWish::kAuto;
  soft::GuestOptions guest;
  pmu::Modes modes;                // what to measure of a guest; the other engines know user mode only
  bool classes = true;             // samples include miss classes
  bool system_call_memory = true;  // count the misses of system calls in the program's memory
  uint64_t tlb_cycles = 0;         // interval, in cycles, of samples that record the TLB contents; 0: never
  model::SizeRanges sizes;         // additional caches to model
  std::optional<soft::BurstPlan> bursts;  // model only these bursts; nullopt: everything
  bool bursts_if_possible = false;        // model everything if bursts cannot provide what is requested
  bool estimates_time = false;  // unless other costs are chosen: of this machine, or of a typical one
  bool copies_only = false;     // the copying engine models nothing, to measure the cost of copying alone
  // Processor features that the copying engine must not use: bits of pmu/soft/direct/decode/features.h.
  soft::AbsentFeatures absent{};
  std::optional<soft::ReproducibleOptions> reproducible;  // programs see a defined machine
  uint64_t layout = 0;  // number of the programs' memory layout; 0: the usual one
  uint64_t period = 1000;
  uint64_t frequent_period = 1000;  // period of events that a large part of all instructions cause
  // Interval of occupancy readings of the last-level cache, which the programs between the command's commas
  // share. 0: no readings, and a single program.
  uint64_t occupancy_ms = 0;
  uint64_t max_samples = 0;   // limit after which the program continues without sampling; a few extra samples
                              // may follow; 0: no limit
  bool periods_grow = false;  // grow with the number of samples (soft/ring/thinning.h)
  bool jitter = true;
  app::KeepSymbols keep_symbols = app::KeepSymbols::kLost;
  uint32_t branch_filter = 0;  // soft::BranchFilter bits
  bool call_chains = false;
  bool callers_wanted = false;  // the user has asked for call chains
  // Bytes of each stack that are unwound with unwind tables; 0: the copying engine follows frame pointers.
  uint32_t stack_bytes = 0;
  soft::GeometryOptions geometry;
  soft::CollectionLimits limits;
  soft::HeapOptions heap;  // for a recording; ignored if events are only counted
  // Receives a text listing of the blocks that the copying engine makes; null: no listing.
  std::function<void(std::string_view)> block_trace;
  std::string traced_function;  // list only blocks with code of this function; empty: all
};

}  // namespace hm::measure
