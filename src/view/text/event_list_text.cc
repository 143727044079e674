// SPDX-License-Identifier: MIT
#include "view/text/event_list_text.h"

#include <fmt/format.h>

namespace hm::text {
namespace {

std::string names_of(const event::EventTemplate& event) {
  return event.alias.empty() ? std::string(event.name) : fmt::format("{} ({})", event.name, event.alias);
}

std::string_view word_of(event::SoftSupport support) {
  switch (support) {
    case event::SoftSupport::kExact:
      return "exact";
    case event::SoftSupport::kApproximate:
      return "approximate";
    case event::SoftSupport::kNone:
      return "not available";
  }
  return "";
}

}  // namespace

std::string event_list(std::span<const event::EventTemplate* const> events, const Style& style) {
  std::string out;
  for (size_t i = 0; i < events.size();) {
    event::EventGroup group = events[i]->group;
    Table table({{std::string(group_title(group)), Align::kLeft},
                 {"precise", Align::kLeft},
                 {"software PMU", Align::kLeft},
                 {"what it counts", Align::kLeft}});
    for (; i < events.size() && events[i]->group == group; ++i) {
      const event::EventTemplate& event = *events[i];
      std::string what(event.description);
      if (!event.soft_note.empty()) what += fmt::format("; software PMU: {}", event.soft_note);
      table.add(
          {names_of(event), event.precise ? "yes" : "no", std::string(word_of(event.soft)), std::move(what)});
    }
    if (!out.empty()) out += '\n';
    out += table.render(style);
  }
  return out;
}

}  // namespace hm::text
