// SPDX-License-Identifier: MIT
#include "app/measure/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hm::measure {

std::string describe_target(const MeasureOptions& options) {
  const pmu::Target& target = options.target;
  std::string command = fmt::format("'{}'", fmt::join(target.command, " "));
  std::string what = !target.pids.empty()     ? fmt::format("process {}", fmt::join(target.pids, ", "))
                     : !target.tids.empty()   ? fmt::format("thread {}", fmt::join(target.tids, ", "))
                     : !target.cgroup.empty() ? fmt::format("control group {}", target.cgroup)
                     : !target.cpus.empty()   ? fmt::format("CPUs {}", options.cpu_list)
                     : target.whole_system    ? "the whole system"
                                              : command;
  bool meanwhile = !target.command.empty() && !target.only_a_command();
  return meanwhile ? fmt::format("{} while {} ran", what, command) : what;
}

}  // namespace hm::measure
