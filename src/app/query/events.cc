// SPDX-License-Identifier: MIT
#include "app/query/events.h"

#include <string_view>
#include <vector>

#include "event/event_template.h"
#include "event/hardware/known_cpus.h"

namespace hm::query {
namespace {

bool matches(const event::EventTemplate& event, std::string_view pattern) {
  return event.name.find(pattern) != std::string_view::npos ||
         event.alias.find(pattern) != std::string_view::npos;
}

Result<event::CpuModel> chosen_cpu(const std::string& name) {
  if (name.empty() || name == "host") return event::host_cpu();
  const event::KnownCpu* known = event::find_known_cpu(name);
  if (known == nullptr) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "no hardware events are known of a processor '{}'; `hardmeter list --cpu help` lists the known processors",
        name);
  }
  return known->model;
}

}  // namespace

Result<event::HardwareEvents> list_events(const EventsOptions& options) {
  Result<event::CpuModel> cpu = chosen_cpu(options.cpu);
  if (!cpu) return cpu.error();
  std::vector<const event::EventTemplate*> events;
  for (const event::EventTemplate& event : event::all_events()) {
    if (matches(event, options.pattern)) events.push_back(&event);
  }
  if (events.empty()) return make_error(ErrorCode::kNotFound, "no event name contains '{}'", options.pattern);
  return event::hardware_events(events, *cpu);
}

}  // namespace hm::query
