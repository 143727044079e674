// SPDX-License-Identifier: MIT
// From an event and a processor to what the kernel must be given. Pure: nothing here looks at the host.
#pragma once

#include <vector>

#include "base/result.h"
#include "event/event_id.h"
#include "event/hardware/cpu_model.h"
#include "event/hardware/encoding.h"

namespace hm::event {

// One for each part of the event (its count is the sum of theirs) on each kind of core the processor has; all
// are opened. An event that the processor cannot count truthfully, and a processor that is not known, are
// kUnsupported with a sentence that names the nearest.
[[nodiscard]] Result<std::vector<Encoding>> encode(EventId id, const CpuModel& cpu, Use use);

// The kernel's own timer, for the event `clock` where there is no PMU: PERF_COUNT_SW_CPU_CLOCK, whose period
// is in ns.
[[nodiscard]] Encoding software_clock();

}  // namespace hm::event
