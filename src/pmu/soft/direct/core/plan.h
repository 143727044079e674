// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/ring/session_layout.h"
#include "pmu/soft/sampling/demand.h"

namespace hm::soft::direct {

// How blocks of one mode are copied.
struct Plan {
  Demand demand;
  Mode mode;
  bool uninstrumented;        // the copies count nothing
  bool has_shrx;              // the host has BMI2
  bool in_bursts;             // Session::bursts
  bool keeps_pace;            // schedule/pace.h
  bool samples_ahead;         // copies leave before a sample may be due (frequent_events.h)
  bool touches_code;          // touching copies also record the code lines they run in the touch table
  bool ends_activations;      // indirect branches may end an activation (Core::activation_sp)
  bool traced;                // each copy is reported to the recorder
  const uint32_t* held;       // not null: loops leave the copy once this is 0
  uint32_t state_components;  // not 0: XSAVE and XRSTOR are limited to these
  AbsentFeatures absent;      // instructions of these extensions fault, as on a processor that lacks them
  bool times_paths;           // copies add the time of their instructions to the core's work
  model::Pipeline pipeline;
  uint32_t mispredict;  // Costs::mispredict
  bool counted[event::kEventCount];
  bool sampled[event::kEventCount];
  uint32_t line_bytes;
  unsigned line_shift;
  uint32_t lines_per_page;
  unsigned page_shift;
  unsigned hint_bits;  // number of bits of an index into the table of hints

  // Returns true if loops leave the copy once the tick exceeds Core::switch_tick.
  [[nodiscard]] bool looks_at_tick() const { return in_bursts || keeps_pace; }
};

}  // namespace hm::soft::direct
