// SPDX-License-Identifier: MIT
#include "host/pinning.h"

#include <sched.h>

#include <cerrno>

namespace hm::host {

std::vector<int> allowed_cpus() {
  std::vector<int> cpus;
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(static_cast<size_t>(cpu), &set)) cpus.push_back(cpu);
  }
  return cpus;
}

Result<int> pin_to(std::optional<int> wanted) {
  int cpu = wanted ? *wanted : ::sched_getcpu();
  cpu_set_t set;
  CPU_ZERO(&set);
  if (cpu < 0 || cpu >= CPU_SETSIZE)
    return make_error(ErrorCode::kInvalidArgument, "CPU {} does not exist; lscpu lists the CPUs", cpu);
  CPU_SET(static_cast<size_t>(cpu), &set);
  if (::sched_setaffinity(0, sizeof set, &set) != 0)
    return make_error(ErrorCode::kInvalidArgument,
                      "cannot run on CPU {}: {}; choose one that is online and allowed (taskset -p $$)", cpu,
                      errno_text(errno));
  return cpu;
}

}  // namespace hm::host
