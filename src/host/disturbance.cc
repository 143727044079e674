// SPDX-License-Identifier: MIT
#include "host/disturbance.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include "host/core_clock.h"

namespace hm::host {
namespace {

uint64_t preemptions_of_thread() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return static_cast<uint64_t>(usage.ru_nivcsw);
}

// Parses a line "cpu1 USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL ...", in ticks.
std::optional<double> stolen_seconds(int cpu) {
  std::ifstream stat("/proc/stat");
  const std::string wanted = fmt::format("cpu{}", cpu);
  for (std::string line; std::getline(stat, line);) {
    std::istringstream text(line);
    std::string name;
    uint64_t steal = 0;
    if (!(text >> name) || name != wanted) continue;
    for (int field = 0; field < 8; ++field) text >> steal;
    if (!text) return std::nullopt;
    return static_cast<double>(steal) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  }
  return std::nullopt;
}

}  // namespace

DisturbanceMeter::DisturbanceMeter(int cpu)
    : cpu_(cpu), begin_ns_(now_ns()), preemptions_(preemptions_of_thread()), stolen_s_(stolen_seconds(cpu)) {}

Disturbance DisturbanceMeter::so_far() const {
  Disturbance disturbance{preemptions_of_thread() - preemptions_, {}};
  std::optional<double> stolen = stolen_seconds(cpu_);
  double elapsed_s = static_cast<double>(now_ns() - begin_ns_) / 1e9;
  if (stolen && stolen_s_ && elapsed_s > 0)
    disturbance.stolen_share = std::clamp((*stolen - *stolen_s_) / elapsed_s, 0.0, 1.0);
  return disturbance;
}

}  // namespace hm::host
