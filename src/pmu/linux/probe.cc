// SPDX-License-Identifier: MIT
#include "pmu/linux/probe.h"

#include "base/unique_fd.h"
#include "pmu/linux/attr.h"
#include "pmu/linux/explain.h"

namespace hm::linux_pmu {
namespace {

Probed probe_with(Kernel& kernel, const Event& event, const Sampling& sampling) {
  Intent intent;
  intent.sampling = sampling;
  intent.modes = {.user = true, .kernel = false, .chosen = true};
  intent.inherit = false;
  perf_event_attr attr = make_attr(event, intent);
  constexpr Place kThisProcess{0, -1};
  while (true) {
    UniqueFd fd(kernel.open(attr, kThisProcess.pid, kThisProcess.cpu, -1, 0));
    if (fd.valid()) return {true, static_cast<unsigned>(attr.precise_ip), ""};
    int error = -fd.release();
    if (!concede(attr, error, intent.modes.chosen))
      return {false, 0, explain_open(kernel, event.name, attr, kThisProcess, error).message};
  }
}

}  // namespace

Probed probe(Kernel& kernel, const Event& event) { return probe_with(kernel, event, Sampling{}); }

Probed probe_branches(Kernel& kernel, const Event& event) {
  Sampling sampling;
  sampling.branch_filter = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY;
  return probe_with(kernel, event, sampling);
}

}  // namespace hm::linux_pmu
