// SPDX-License-Identifier: MIT
// What is to be measured, and how: what every front door fills in.
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
#include "pmu/soft/launcher/engine_choice.h"
#include "pmu/soft/ring/session_layout.h"
#include "pmu/target.h"

namespace hm::measure {

// By its place in all_sources().
enum class SourceKind : uint8_t { kKernel, kSoftware };

// Of the software PMU.
struct SoftwareOptions {
  soft::EngineWish engine = soft::EngineWish::kAuto;
  bool classes = true;                    // samples say why their accesses missed
  uint64_t tlb_cycles = 0;                // every so many a sample says what the TLBs hold; 0: none does
  model::SizeRanges sizes;                // caches of all these are modelled besides; none: not wanted
  std::optional<soft::BurstPlan> bursts;  // only these are modelled; null: everything
  bool exact = false;                     // the user asks for everything
  double budget = 0;                      // what share of running processes' CPU time it may cost; 0: all
  bool copies_only = false;               // nothing is modelled: what copying alone costs
  soft::AbsentFeatures absent{};
  soft::GeometryOptions geometry;
  soft::CollectionLimits limits;
  // Gives what takes, as text, what the copying engine makes of the program; null: nobody wants it.
  std::function<Result<std::function<void(std::string_view)>>()> open_block_trace;
  std::string traced_function;  // only blocks with code of it; empty: all
};

struct MeasureOptions {
  std::optional<SourceKind> source;  // nullopt: the one that can
  std::vector<event::Selection> events;
  bool usual_events = false;  // nobody has named any: `events` are those that are usual
  pmu::Target target;
  std::string cpu_list;  // the target's CPUs as they were named: "0-3"
  pmu::Modes modes;
  bool inherit = true;   // what the target starts is measured, too
  uint64_t most_ns = 0;  // how long what runs already is measured; 0: no limit
  SoftwareOptions software;
};

// Words that are none are errors of those who read them: sampling_words.h.
struct SamplingOptions {
  std::string period;  // a number, or a time such as 100us; empty: what is usual
  std::optional<uint64_t> frequency_hz;
  bool no_jitter = false;
  std::string branches;  // "any,call"; empty: none
  bool call_chains = false;
  std::string call_graph;  // fp, dwarf[,BYTES] or lbr; empty: none
  bool addresses = false;
  bool physical_addresses = false;
  bool page_sizes = false;
  bool weights = false;
  bool registers = false;
  // If neither `period` nor `frequency_hz` is given, periods grow with the samples (soft/ring/thinning.h).
  bool periods_may_grow = false;
  uint64_t ring_kib = 0;      // 0: what is usual
  uint64_t most_samples = 0;  // 0: no limit
  bool no_heap_blocks = false;
  bool jit_names = false;  // programs are asked to name what they compile (jit_names.h)
  std::vector<std::string> allocators;
  std::string occupancy;  // who holds the last-level cache: every so many ms, or true; empty: not wanted
};

// In words: "'ls -l'", "process 17", "CPUs 0-3 while 'sleep 1' ran".
[[nodiscard]] std::string describe_target(const MeasureOptions& options);

}  // namespace hm::measure
