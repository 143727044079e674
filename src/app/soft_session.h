// SPDX-License-Identifier: MIT
// The software PMU as the commands use it: what the user wants becomes a session, and a run becomes totals or
// a recording.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "event/event_template.h"
#include "pmu/soft/geometry/geometry.h"
#include "pmu/soft/launcher/engine_choice.h"
#include "pmu/soft/launcher/run.h"
#include "record/recording_sink.h"

namespace hm::app {

struct SoftOptions {
  std::vector<std::string> command;
  std::vector<event::EventId> events;
  soft::EngineWish engine = soft::EngineWish::kAuto;
  bool classes = true;  // samples say why their accesses missed
  uint32_t absent_features =
      0;  // bits of pmu/soft/direct/decode/features.h: the copying engine's processor lacks them
  bool copies_only = false;  // the copying engine models nothing: what copying alone costs
  uint64_t period = 1000;
  uint64_t most_samples = 0;  // then the program goes on without; a few more may come. 0: no limit
  bool jitter = true;
  uint32_t branch_filter = 0;     // soft::BranchFilter bits
  uint32_t call_chain_depth = 0;  // 0: no call chains
  soft::GeometryOptions geometry;
  soft::CollectionLimits limits;
  soft::HeapOptions heap;  // of a recording; where only totals are wanted nothing is observed
  std::function<void(const soft::RunProgress&)> progress;
  std::function<int()> interrupts;
  // Takes what the copying engine makes of the program, as text; null: nobody wants it.
  std::function<void(std::string_view)> block_trace;
  std::string traced_function;  // only blocks with code of it; empty: all
};

struct SoftResult {
  soft::RunResult run;
  std::string engine;  // its name
  model::MachineGeometry geometry;
  soft::CollectionLimits limits;
  std::vector<event::EventId> counted;  // whose totals are measured
  uint64_t recorded_bytes = 0;
  // One sentence for each place where a program met an instruction that the engine cannot run, and for what
  // of the limits kept everything from being collected.
  std::vector<std::string> obstacles;
};

// Counts the events and those that are counted at no further cost; takes no samples.
Result<SoftResult> count_with_soft_pmu(const SoftOptions& options);

// Samples the events into `sink`.
Result<SoftResult> record_with_soft_pmu(const SoftOptions& options, record::RecordingSink& sink,
                                        const std::vector<std::string>& command_line);

}  // namespace hm::app
