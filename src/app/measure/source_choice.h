// SPDX-License-Identifier: MIT
// Chooses the source: the kernel's PMU if it can deliver the request, else the software PMU.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/measure/options.h"
#include "base/result.h"
#include "event/hardware/encoding.h"
#include "event/selection.h"
#include "pmu/linux/kernel.h"
#include "pmu/target.h"

namespace hm::measure {

// Returns true for events of `hardmeter list` other than the clock: only hardware or the software PMU
// provides them.
[[nodiscard]] bool in_table(const event::Selection& selection);

struct Choice {
  SourceKind source = SourceKind::kKernel;
  std::string reason;  // one line for the user; empty if the user chose the source
};

// Returns a requested option that only the software PMU supports; empty if there is none.
[[nodiscard]] std::string_view software_feature(const MeasureOptions& options,
                                                const SamplingOptions* sampling);

// Returns the source that the options request, by name or by a feature of only one source. `sampling` is null
// if events are counted.
[[nodiscard]] std::optional<SourceKind> wished_source(const MeasureOptions& options,
                                                      const SamplingOptions* sampling);

// Kind of target, by the abilities of the software PMU. The software PMU measures commands. It measures
// running processes only if the user requests this or sets a budget, because it changes the code that runs.
// It measures no other targets.
enum class Measured : uint8_t { kCommand, kProcesses, kProcessesWithinBudget, kOther };
// `budget` is 0 if there is none.
[[nodiscard]] Measured measured_of(const pmu::Target& target, double budget);

// Tests the kernel by opening each event on this process. Fails with kUnsupported if neither PMU has all
// events.
Result<Choice> choose_source(std::optional<SourceKind> wish, const std::vector<event::Selection>& events,
                             Measured measured, event::Use use, linux_pmu::Kernel& kernel,
                             const pmu::Modes& modes = {});

// Returns advice such as "; -k -e clock measures the kernel by time, ...", for a request of kernel mode. No
// model runs kernel code, and the hardware here cannot count the events. Empty if kernel mode was not
// requested.
[[nodiscard]] std::string kernel_mode_advice(const pmu::Modes& modes);

}  // namespace hm::measure
