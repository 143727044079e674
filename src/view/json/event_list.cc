// SPDX-License-Identifier: MIT
#include "view/json/event_list.h"

#include "view/json/hardware_events.h"
#include "view/json/values.h"

namespace hm::json {
namespace {

std::string_view word_of(event::SoftSupport support) {
  switch (support) {
    case event::SoftSupport::kExact:
      return "exact";
    case event::SoftSupport::kApproximate:
      return "approximate";
    case event::SoftSupport::kNone:
      return "none";
  }
  return "";
}

}  // namespace

std::string event_list_json(const event::HardwareEvents& hardware) {
  Json json{{"schema", kSchema}, {"cpu", text_or_null(hardware.cpu)}, {"events", Json::array()}};
  for (const event::HardwareEvent& each : hardware.events) {
    const event::EventTemplate* event = each.event;
    json["events"].push_back({{"name", event->name},
                              {"alias", text_or_null(event->alias)},
                              {"description", event->description},
                              {"group", group_title(event->group)},
                              {"precise", event->precise},
                              {"software", word_of(event->soft)},
                              {"note", text_or_null(event->soft_note)},
                              {"hardware", to_json(each)}});
  }
  return dump(json);
}

}  // namespace hm::json
