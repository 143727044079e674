// SPDX-License-Identifier: MIT
#include "app/measure/source_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "event/event_template.h"
#include "pmu/linux/probe.h"
#include "pmu/linux/resolve.h"

namespace hm::measure {
namespace {

using event::Selection;

// Returns why the kernel cannot deliver the event with the instruction that caused it; empty if it can.
std::string obstacle(linux_pmu::Kernel& kernel, const Selection& selection, event::Use use) {
  Result<std::vector<linux_pmu::Event>> events = linux_pmu::resolve(kernel, selection, use);
  if (!events) return events.error().message;
  for (const linux_pmu::Event& event : *events) {
    linux_pmu::Probed probed = linux_pmu::probe(kernel, event);
    if (!probed.opened) return probed.problem;
    if (use == event::Use::kSample && event::event_template(*selection.id).precise && event.skids &&
        probed.precise == 0)
      return fmt::format("the hardware PMU here has no precise samples of {}", selection.name);
  }
  return {};
}

}  // namespace

bool in_table(const Selection& selection) {
  return selection.id.has_value() && selection.id != event::EventId::kClock;
}

std::string_view software_feature(const MeasureOptions& options, const SamplingOptions* sampling) {
  const SoftwareOptions& software = options.software;
  // `run` requests bursts only if they are possible.
  bool states_detail = software.exact || (software.bursts && !software.bursts_if_possible);
  if (states_detail) return "--detail";
  if (software.limits.any()) return software.limits.functions.empty() ? "--start-after" : "--function";
  if (software.sizes.lines.set_counts != 0) return "--sizes";
  if (software.tlb_cycles != 0) return "--tlb";
  if (software.geometry.physical) return "--physical";
  if (software.reproducible) return "--reproducible";
  if (software.layout != 0) return "--layout";
  if (software.copies_only) return "--copies-only";
  if (sampling != nullptr && !sampling->allocators.empty()) return "--allocator";
  return {};
}

std::optional<SourceKind> wished_source(const MeasureOptions& options, const SamplingOptions* sampling) {
  bool soft_only = !software_feature(options, sampling).empty();
  return !options.source && soft_only ? SourceKind::kSoftware : options.source;
}

Measured measured_of(const pmu::Target& target, double budget) {
  if (target.only_a_command()) return Measured::kCommand;
  if (!target.only_processes()) return Measured::kOther;
  return budget == 0 ? Measured::kProcesses : Measured::kProcessesWithinBudget;
}

std::string kernel_mode_advice(const pmu::Modes& modes) {
  if (!modes.chosen || !modes.kernel) return {};
  return fmt::format(
      "; {}-k -e clock measures the kernel by time, and --pmu=guest models it in a virtual machine",
      modes.user ? "-u " : "");
}

Result<Choice> choose_source(std::optional<SourceKind> wish, const std::vector<Selection>& events,
                             Measured measured, event::Use use, linux_pmu::Kernel& kernel,
                             const pmu::Modes& modes) {
  if (wish == SourceKind::kSoftware && measured == Measured::kOther)
    return make_error(
        ErrorCode::kUnsupported,
        "the software PMU measures a command that it runs, or processes (-p, -G); -t, -C and -a need --pmu=linux");
  if (wish) return Choice{*wish, ""};
  auto of_table = std::ranges::find_if(events, in_table);
  if (of_table == events.end()) return Choice{SourceKind::kKernel, ""};
  std::string why_not;
  for (const Selection& each : events) {
    if (in_table(each) && why_not.empty()) why_not = obstacle(kernel, each, use);
  }
  if (why_not.empty())
    return Choice{SourceKind::kKernel, "the hardware PMU can deliver every event precisely"};
  if (std::string advice = kernel_mode_advice(modes); !advice.empty())
    return make_error(ErrorCode::kUnsupported, "{}, and the software PMU models user mode only{}", why_not,
                      advice);
  if (measured == Measured::kProcesses)
    return make_error(
        ErrorCode::kUnsupported,
        "{}; --budget 5% attaches the software PMU to running processes at a cost of at most 5 %, --pmu=soft attaches it without a limit, and -e clock samples by time",
        why_not);
  if (measured == Measured::kOther)
    return make_error(
        ErrorCode::kUnsupported,
        "{}; only the kernel's PMU can measure a whole system or single threads: -e clock samples them by time",
        why_not);
  auto kernels_own = std::ranges::find_if(events, [](const Selection& each) { return !each.id.has_value(); });
  if (kernels_own != events.end())
    return make_error(ErrorCode::kUnsupported,
                      "no PMU of this machine has both {} and {}: {}; measure them one after the other",
                      of_table->name, kernels_own->name, why_not);
  return Choice{SourceKind::kSoftware, why_not};
}

}  // namespace hm::measure
