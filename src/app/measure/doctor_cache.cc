// SPDX-License-Identifier: MIT
// Describes the provider of cache occupancy on this machine.
#include <fmt/format.h>

#include "app/measure/doctor_findings.h"
#include "pmu/rdt/pqos_provider.h"
#include "pmu/rdt/resctrl_provider.h"

namespace hm::measure {
namespace {

std::string describe(const rdt::Capabilities& can) {
  std::string what = can.occupancy ? "occupancy" : "no occupancy";
  if (can.total_bandwidth || can.local_bandwidth) what += " and memory bandwidth";
  std::string whose = can.threads ? "processes, containers and CPUs" : "CPUs";
  return fmt::format("{} by {}, of {}, {} groups at a time", what, can.name, whose, can.groups);
}

}  // namespace

Finding find_cache_monitoring() {
  constexpr const char* kSubject = "cache occupancy";
  auto resctrl = rdt::open_resctrl();
  if (resctrl) return {kSubject, Health::kGood, describe((*resctrl)->capabilities()), ""};
  auto pqos = rdt::open_pqos();
  if (pqos) return {kSubject, Health::kGood, describe((*pqos)->capabilities()), resctrl.error().message};
  return {kSubject, Health::kMissing,
          fmt::format("not for the processor's cache: {}; {}", resctrl.error().message, pqos.error().message),
          "`hardmeter llc -- PROGRAM ... , PROGRAM ...` models a cache that programs share"};
}

}  // namespace hm::measure
