// SPDX-License-Identifier: MIT
// Which source measures: the kernel's PMU, where it can deliver what is asked for, else the software PMU.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/measure/options.h"
#include "base/result.h"
#include "event/hardware/encoding.h"
#include "event/selection.h"
#include "pmu/linux/kernel.h"
#include "pmu/target.h"

namespace hm::measure {

// An event of `hardmeter list` other than the clock: only hardware or the software PMU has it.
[[nodiscard]] bool in_table(const event::Selection& selection);

struct Choice {
  SourceKind source = SourceKind::kKernel;
  std::string reason;  // one line for the user; empty where he chose himself
};

// Which one the options ask for: by name, or by what only one can do. `sampling`: null where events are
// counted.
[[nodiscard]] std::optional<SourceKind> wished_source(const MeasureOptions& options,
                                                      const SamplingOptions* sampling);

// What is measured, by what the software PMU can do of it: commands; running processes, where the user asks
// for that or limits what it costs them, as it changes what they run; not the rest.
enum class Measured : uint8_t { kCommand, kProcesses, kProcessesWithinBudget, kOther };
// `budget`: 0 where there is none.
[[nodiscard]] Measured measured_of(const pmu::Target& target, double budget);

// Asks the kernel by opening each event, on this very process. kUnsupported where neither PMU has all of the
// events.
Result<Choice> choose_source(std::optional<SourceKind> wish, const std::vector<event::Selection>& events,
                             Measured measured, event::Use use, linux_pmu::Kernel& kernel,
                             const pmu::Modes& modes = {});

// "; -k -e clock measures the kernel by time": what to do if the kernel is wanted, whose code no model runs,
// and hardware cannot count the events there. Empty if the kernel was not asked for.
[[nodiscard]] std::string kernel_mode_advice(const pmu::Modes& modes);

}  // namespace hm::measure
