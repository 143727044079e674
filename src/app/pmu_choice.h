// SPDX-License-Identifier: MIT
// Which PMU measures: the kernel's, where it can deliver what is asked for, else the software PMU.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "event/hardware/encoding.h"
#include "event/selection.h"
#include "pmu/linux/kernel.h"

namespace hm::app {

enum class PmuWish { kAuto, kLinux, kSoft };

struct PmuChoice {
  bool soft = false;
  std::string reason;  // one line for the user; empty where he chose himself
};

// `runs_a_command`: and nothing else, which is all that the software PMU can measure. Asks the kernel by
// opening each event, on this very process. kUnsupported where neither PMU has all of the events.
Result<PmuChoice> choose_pmu(PmuWish wish, const std::vector<event::Selection>& events, bool runs_a_command,
                             event::Use use, linux_pmu::Kernel& kernel);

}  // namespace hm::app
