// SPDX-License-Identifier: MIT
// Adapts the options if samples are requested by time (-c 100us, -F 10000).
#pragma once

#include <string>

#include "app/measure/options.h"
#include "base/result.h"
#include "pmu/linux/kernel.h"

namespace hm::measure {

struct ByTime {
  MeasureOptions what;
  SamplingOptions sampling;
  std::string reason;  // one line for the user on why the options were changed; empty: unchanged
};

// If the user gives a period of time but no event, the event is the clock. The clock is a software event, and
// its samples have no branch records (perf_event_open(2): EOPNOTSUPP). If branch records are requested,
// cycles are sampled at the same rate instead, in user mode unless another mode was chosen (as Ono and others
// collect their time series). If the processor records no branches, instructions of the software PMU are
// sampled; the period is the number of instructions in this time at 3 GHz and one per cycle. Fails with
// kUnsupported if neither is possible. Other options are unchanged.
[[nodiscard]] Result<ByTime> sample_by_time(MeasureOptions what, SamplingOptions sampling,
                                            linux_pmu::Kernel& kernel);

}  // namespace hm::measure
