// SPDX-License-Identifier: MIT
// Converts an event and a processor to the kernel's encoding. Pure: does not depend on the host.
#pragma once

#include <vector>

#include "base/result.h"
#include "event/event_id.h"
#include "event/hardware/cpu_model.h"
#include "event/hardware/encoding.h"

namespace hm::event {

// Returns one encoding for each part of the event on each kind of core; open all of them and add their
// counts. Fails with kUnsupported and a sentence that names the nearest event or processor if the processor
// is unknown or cannot count the event correctly.
[[nodiscard]] Result<std::vector<Encoding>> encode(EventId id, const CpuModel& cpu, Use use);

// Returns the kernel's timer, PERF_COUNT_SW_CPU_CLOCK, for the event `clock` without a PMU. Its period is in
// ns.
[[nodiscard]] Encoding software_clock();

}  // namespace hm::event
