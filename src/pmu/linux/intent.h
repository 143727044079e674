// SPDX-License-Identifier: MIT
// The user's request to the kernel's PMU, before it is converted to a perf_event_attr.
#pragma once

#include <linux/perf_event.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "event/hardware/encoding.h"
#include "event/selection.h"
#include "pmu/target.h"

namespace hm::linux_pmu {

// An event as one PMU of this machine counts it.
struct Event {
  std::string name;
  event::KernelEvent programming;
  uint64_t usual_period = 1;     // default sampling period
  uint32_t period_multiple = 1;  // the period must be a multiple of this
  event::PeriodUnit period_unit = event::PeriodUnit::kEvents;
  unsigned max_precise = 0;    // highest useful precise_ip
  bool skids = false;          // samples without precise_ip skid: they fall behind their cause
  uint64_t sample_fields = 0;  // useful PERF_SAMPLE_* fields, beyond instruction, thread and time
  event::SampleFilter keep;    // selects the samples that had the event
  bool helper = false;         // only supports the event before it, and has no result of its own
  bool filters_modes = true;   // the PMU can exclude kernel or user mode,
  uint64_t filter_config = 0;
  uint64_t filter_config2 = 0;       // if these two are set
  std::vector<int> cpus;             // CPUs that have this PMU; empty: all
  unsigned group = 0;                // as in event::Selection
  std::optional<bool> user, kernel;  // set if the selection chooses the modes
  std::string native;                // the vendor's name; empty for the kernel's own events
  std::string note;                  // how the event differs from its name
};

enum class CallChains : uint8_t { kNone, kFramePointer, kDwarf, kLastBranch };

struct Sampling {
  // Events per sample (of clocks: ns). If neither period nor frequency is set, the event's usual period.
  std::optional<uint64_t> period = {};
  std::optional<uint64_t> frequency_hz;  // samples per second; the kernel adapts the period
  CallChains call_chains = CallChains::kNone;
  uint32_t stack_bytes = 8192;   // of the user stack in each sample, for kDwarf
  uint64_t branch_filter = 0;    // PERF_SAMPLE_BRANCH_*; 0: no branch stack
  bool monotonic_clock = false;  // timestamps use CLOCK_MONOTONIC, as other sources do
  uint64_t more_fields = 0;      // PERF_SAMPLE_ADDR, _PHYS_ADDR, _WEIGHT, ...: for every event
  bool operator==(const Sampling&) const = default;
};

using pmu::Modes;
using pmu::Target;

struct Intent {
  Target target;
  std::vector<Event> events;
  std::optional<Sampling> sampling;  // nullopt: count only
  Modes modes;
  bool inherit = true;  // also measure children and new threads
};

}  // namespace hm::linux_pmu
