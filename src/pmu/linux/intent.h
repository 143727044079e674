// SPDX-License-Identifier: MIT
// What a user wants of the kernel's PMU, before any of it is a perf_event_attr.
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
  uint64_t usual_period = 1;     // for a user who says nothing
  uint32_t period_multiple = 1;  // the period has to be a multiple of this
  event::PeriodUnit period_unit = event::PeriodUnit::kEvents;
  unsigned max_precise = 0;    // the highest precise_ip that is of use for it
  bool skids = false;          // a sample that is not precise falls behind its cause
  uint64_t sample_fields = 0;  // PERF_SAMPLE_* that say something for it, beyond who, where and when
  event::SampleFilter keep;    // which samples had the event
  bool helper = false;         // counts for the sake of the event before it, and is nothing by itself
  bool filters_modes = true;   // the PMU can leave out the kernel's or the user's part,
  uint64_t filter_config = 0;
  uint64_t filter_config2 = 0;       // given this
  std::vector<int> cpus;             // that have this PMU; empty: all
  unsigned group = 0;                // as in event::Selection
  std::optional<bool> user, kernel;  // where the selection says so itself
  std::string native;                // what the vendor calls it; empty for the kernel's own
  std::string note;                  // how it differs from what its name promises
};

enum class CallChains : uint8_t { kNone, kFramePointer, kDwarf, kLastBranch };

struct Sampling {
  // Events a sample (of clocks: ns); without both, the event's usual one.
  std::optional<uint64_t> period = {};
  std::optional<uint64_t> frequency_hz;  // samples a second, by a period that the kernel adapts
  CallChains call_chains = CallChains::kNone;
  uint32_t stack_bytes = 8192;   // of the user's stack with each sample, for kDwarf
  uint64_t branch_filter = 0;    // PERF_SAMPLE_BRANCH_*; 0: no branch stack
  bool monotonic_clock = false;  // times are CLOCK_MONOTONIC's, as those of other sources
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
  bool inherit = true;  // children and new threads too
};

}  // namespace hm::linux_pmu
