// SPDX-License-Identifier: MIT
#include "pmu/linux/probe.h"

#include <linux/hw_breakpoint.h>

#include <array>

#include "base/unique_fd.h"
#include "pmu/linux/attr.h"
#include "pmu/linux/open_errors.h"

namespace hm::linux_pmu {
namespace {

// Returns an intent for this process alone, in user mode only.
Intent own_intent() {
  Intent intent;
  intent.modes = {.user = true, .kernel = false, .chosen = true};
  intent.inherit = false;
  return intent;
}

constexpr PidAndCpu kThisProcess{0, -1};

Probed probe_with(Kernel& kernel, const Event& event, const Sampling& sampling) {
  Intent intent = own_intent();
  intent.sampling = sampling;
  perf_event_attr attr = make_attr(event, intent);
  while (true) {
    UniqueFd fd(kernel.open(attr, kThisProcess.pid, kThisProcess.cpu, -1, 0));
    if (fd.valid()) return {true, static_cast<unsigned>(attr.precise_ip), ""};
    int error = -fd.release();
    if (!fall_back(attr, error, intent.modes.chosen))
      return {false, 0, explain_open(kernel, event.name, attr, kThisProcess, error).message};
  }
}

Event breakpoint_on(const volatile uint64_t& word) {
  Event event;
  event.programming = {.type = PERF_TYPE_BREAKPOINT,
                       .config1 = reinterpret_cast<uintptr_t>(&word),
                       .config2 = sizeof word,
                       .breakpoint_type = HW_BREAKPOINT_W};
  return event;
}

}  // namespace

Probed probe(Kernel& kernel, const Event& event) { return probe_with(kernel, event, Sampling{}); }

Probed probe_branches(Kernel& kernel, const Event& event) {
  Sampling sampling;
  sampling.branch_filter = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY;
  return probe_with(kernel, event, sampling);
}

std::optional<uint64_t> stores_noticed_of_two(Kernel& kernel) {
  alignas(sizeof(uint64_t)) volatile uint64_t watched = 0;
  perf_event_attr attr = make_attr(breakpoint_on(watched), own_intent());
  UniqueFd fd(kernel.open(attr, kThisProcess.pid, kThisProcess.cpu, -1, 0));
  if (!fd.valid()) return std::nullopt;
  kernel.control(fd.get(), PERF_EVENT_IOC_ENABLE, 0);
  watched = 1;
  watched = 2;
  kernel.control(fd.get(), PERF_EVENT_IOC_DISABLE, 0);
  std::array<uint64_t, 4> words{};  // the count, two times and an id
  if (kernel.read(fd.get(), words) <= 0) return std::nullopt;
  return words[0];
}

}  // namespace hm::linux_pmu
