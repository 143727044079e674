// SPDX-License-Identifier: MIT
// Options of a measurement, filled in by every front end.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "event/selection.h"
#include "pmu/soft/geometry/geometry.h"
#include "pmu/soft/launcher/collection_limits.h"
#include "pmu/soft/launcher/defined_machine.h"
#include "pmu/soft/launcher/engine_choice.h"
#include "pmu/soft/ring/session_layout.h"
#include "pmu/target.h"

namespace hm::measure {

// Index in all_sources().
enum class SourceKind : uint8_t { kKernel, kSoftware };

// Options of the software PMU.
struct SoftwareOptions {
  soft::EngineWish engine = soft::EngineWish::kAuto;
  soft::GuestOptions guest;
  bool classes = true;             // samples include miss classes
  bool system_call_memory = true;  // count the misses of system calls in the program's memory
  uint64_t tlb_cycles = 0;         // interval, in cycles, of samples that record the TLB contents; 0: never
  model::SizeRanges sizes;         // additional caches to model; empty: none
  std::optional<soft::BurstPlan> bursts;  // model only these bursts; nullopt: everything
  bool exact = false;                     // the user requests that everything is modelled
  bool bursts_if_possible = false;        // model everything if bursts cannot provide what is requested
  bool estimates_time = false;  // unless other costs are chosen: of this machine, or of a typical one
  double budget = 0;            // maximum share of the running processes' CPU time; 0: unlimited
  bool copies_only = false;     // model nothing, to measure the cost of copying alone
  soft::AbsentFeatures absent{};
  std::optional<soft::ReproducibleOptions> reproducible;  // programs see a defined machine
  uint64_t layout = 0;  // number of the programs' memory layout; 0: the usual one
  soft::GeometryOptions geometry;
  soft::CollectionLimits limits;
  // Opens a consumer for a text listing of the blocks that the copying engine makes; null: no listing.
  std::function<Result<std::function<void(std::string_view)>>()> open_block_trace;
  std::string traced_function;  // list only blocks with code of this function; empty: all
};

struct MeasureOptions {
  std::optional<SourceKind> source;  // nullopt: choose a source that supports the request
  std::vector<event::Selection> events;
  bool usual_events = false;  // the user named no events; `events` are the defaults
  bool adds_waits = false;    // samples of the software PMU add memory_wait to the usual events
  pmu::Target target;
  std::string cpu_list;  // the target's CPUs as specified by the user: "0-3"
  pmu::Modes modes;
  bool inherit = true;  // also measure descendants of the target
  uint64_t max_ns = 0;  // time limit for measuring running processes; 0: none
  SoftwareOptions software;
};

// Options as text. The functions of sampling_arguments.h reject invalid texts.
struct SamplingOptions {
  std::string period;  // a number, or a time such as 100us; empty: the default
  std::optional<uint64_t> frequency_hz;
  bool no_jitter = false;
  std::string branches;  // "any,call"; empty: none
  bool call_chains = false;
  std::string call_graph;  // fp, dwarf[,BYTES], lbr or no; empty: none
  // If `call_graph` is empty, the software PMU records call chains. The kernel would copy stacks for them,
  // which takes a hundred times the space.
  bool software_call_chains = false;
  bool addresses = false;
  bool physical_addresses = false;
  bool page_sizes = false;
  bool weights = false;
  bool registers = false;
  // If neither `period` nor `frequency_hz` is given, periods grow with the number of samples
  // (soft/ring/thinning.h).
  bool periods_may_grow = false;
  uint64_t ring_kib = 0;     // 0: the default
  uint64_t max_samples = 0;  // 0: no limit
  bool no_heap_blocks = false;
  bool jit_names = false;    // make language runtimes write names of compiled code (jit_names.h)
  std::string keep_symbols;  // never, lost or all (app/keep_symbols.h); empty: lost
  std::vector<std::string> allocators;
  std::string occupancy;  // interval of occupancy readings in ms, or "true" for the default; empty: none
};

// Describes the target: "'ls -l'", "process 17", "CPUs 0-3 while 'sleep 1' ran".
[[nodiscard]] std::string describe_target(const MeasureOptions& options);

}  // namespace hm::measure
