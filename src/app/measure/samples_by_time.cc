// SPDX-License-Identifier: MIT
#include "app/measure/samples_by_time.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/measure/sampling_arguments.h"
#include "pmu/linux/probe.h"
#include "pmu/linux/resolve.h"

namespace hm::measure {
namespace {

constexpr uint64_t kInstructionsPerNs = 3;
constexpr uint64_t kNsPerSecond = 1'000'000'000;

void set_event(MeasureOptions& what, const char* name) {
  what.events = *event::parse_selections(name);
  what.usual_events = false;
}

bool processor_records_branches(linux_pmu::Kernel& kernel) {
  event::Selection cycles = event::parse_selections("cycles")->front();
  Result<std::vector<linux_pmu::Event>> events = linux_pmu::resolve(kernel, cycles, event::Use::kSample);
  return events && linux_pmu::probe_branches(kernel, events->front()).opened;
}

// Returns the interval between samples if the options give a time.
std::optional<uint64_t> interval_ns(const SamplingOptions& sampling) {
  if (sampling.period.empty())
    return sampling.frequency_hz ? std::optional(kNsPerSecond / std::max<uint64_t>(*sampling.frequency_hz, 1))
                                 : std::nullopt;
  std::optional<Period> period = parse_period(sampling.period);
  return period && period->is_time ? std::optional(period->events) : std::nullopt;
}

ByTime by_cycles(MeasureOptions what, SamplingOptions sampling, uint64_t interval_ns) {
  set_event(what, "cycles");
  what.source = SourceKind::kKernel;
  sampling.frequency_hz = std::max<uint64_t>(kNsPerSecond / std::max<uint64_t>(interval_ns, 1), 1);
  sampling.period.clear();
  if (!what.modes.chosen) what.modes = {.user = true, .kernel = false, .chosen = true};
  return {std::move(what), std::move(sampling),
          "clock samples have no branch records: cycles are sampled at the same rate"};
}

ByTime by_instructions(MeasureOptions what, SamplingOptions sampling, uint64_t interval_ns) {
  set_event(what, "instr_retired");
  what.source = SourceKind::kSoftware;
  sampling.period = std::to_string(std::max<uint64_t>(interval_ns, 1) * kInstructionsPerNs);
  sampling.frequency_hz.reset();
  std::string reason = fmt::format(
      "the processor records no branches here: one sample in {} instructions, which is {} ns at 3 GHz and one instruction a cycle",
      sampling.period, interval_ns);
  return {std::move(what), std::move(sampling), std::move(reason)};
}

}  // namespace

Result<ByTime> sample_by_time(MeasureOptions what, SamplingOptions sampling, linux_pmu::Kernel& kernel) {
  std::optional<uint64_t> interval = interval_ns(sampling);
  if (!interval) return ByTime{std::move(what), std::move(sampling), ""};
  if (what.usual_events && !sampling.period.empty()) set_event(what, "clock");
  bool is_clock =
      std::ranges::all_of(what.events, [](const event::Selection& each) { return event::is_clock(each); });
  if (!is_clock || sampling.branches.empty()) return ByTime{std::move(what), std::move(sampling), ""};
  if (what.source != SourceKind::kSoftware && processor_records_branches(kernel))
    return by_cycles(std::move(what), std::move(sampling), *interval);
  if (what.source != SourceKind::kKernel && what.target.only_a_command())
    return by_instructions(std::move(what), std::move(sampling), *interval);
  return make_error(
      ErrorCode::kUnsupported,
      "the processor records no branches here (see `hardmeter doctor`), and the software PMU records them only for a command that it runs; omit -b");
}

}  // namespace hm::measure
