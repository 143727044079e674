// SPDX-License-Identifier: MIT
#include "view/json/event_list.h"

#include "view/json/values.h"

namespace hm::json {
namespace {

Json text_or_null(std::string_view text) { return text.empty() ? Json() : Json(text); }

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

std::string event_list_json(std::span<const event::EventTemplate* const> events) {
  Json json{{"schema", kSchema}, {"events", Json::array()}};
  for (const event::EventTemplate* event : events) {
    json["events"].push_back({{"name", event->name},
                              {"alias", text_or_null(event->alias)},
                              {"description", event->description},
                              {"group", group_title(event->group)},
                              {"precise", event->precise},
                              {"software", word_of(event->soft)},
                              {"note", text_or_null(event->soft_note)}});
  }
  return dump(json);
}

}  // namespace hm::json
