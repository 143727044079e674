// SPDX-License-Identifier: MIT
// What it means for the events that samples are asked for by time (-c 100us, -F 10000).
#pragma once

#include <string>

#include "app/measure/options.h"
#include "base/result.h"
#include "pmu/linux/kernel.h"

namespace hm::measure {

struct ByTime {
  MeasureOptions what;
  SamplingOptions sampling;
  std::string reason;  // why these are not what was asked for, one line for the user; empty: they do not
};

// Where nobody names an event, but a period of time, it is the clock. The clock is software, whose samples
// have no branch records (perf_event_open(2): EOPNOTSUPP): where these are wanted, the processor's cycles are
// sampled as often instead, in user mode where no other was chosen (as Ono and others collect their time
// series); and where the processor records no branches, instructions of the software PMU: as many as there
// are in that time at 3 GHz and one a cycle. kUnsupported where neither can be. Others stay as they are.
[[nodiscard]] Result<ByTime> sample_by_time(MeasureOptions what, SamplingOptions sampling,
                                            linux_pmu::Kernel& kernel);

}  // namespace hm::measure
