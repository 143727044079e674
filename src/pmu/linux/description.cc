// SPDX-License-Identifier: MIT
#include "pmu/linux/description.h"

#include <algorithm>

#include "base/json.h"

namespace hm::linux_pmu {
namespace {

bool counts_in_hardware(const OpenEvent& open) {
  uint32_t type = open.attr.type;
  return !open.event.helper && type != PERF_TYPE_SOFTWARE && type != PERF_TYPE_TRACEPOINT &&
         type != PERF_TYPE_BREAKPOINT;
}

}  // namespace

std::vector<record::EventDescription> describe_events(const Session& session) {
  std::vector<record::EventDescription> events;
  for (const OpenEvent& open : session.events()) {
    if (open.event.helper) continue;
    record::EventDescription event{open.event.name, open.attr, {}};
    for (const Counter& counter : open.counters) event.ids.push_back(counter.id);
    events.push_back(std::move(event));
  }
  return events;
}

std::string describe_pmu(const Session& session, const std::vector<std::string>& command) {
  nlohmann::json json;
  json["pmu"] = std::ranges::any_of(session.events(), counts_in_hardware) ? "hardware" : "kernel";
  if (!command.empty()) json["command"] = command;
  return json_line(json);
}

}  // namespace hm::linux_pmu
