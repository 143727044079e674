// SPDX-License-Identifier: MIT
// Events are templates: one table for all commands and the C API.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "event/event_id.h"

namespace hm::event {

enum class EventGroup { kAtRetirement, kFrontEnd, kExecution, kMemory, kCode, kTime, kWait };

// How accurately the software PMU counts an event.
enum class SoftSupport {
  kExact,        // counted as defined, on the modelled machine
  kApproximate,  // the note describes the difference
  kNone,         // the note gives the reason
};

struct EventTemplate {
  EventId id;
  std::string_view name;         // stable interface: the original's spelling
  std::string_view alias;        // correct spelling if the original's is misspelled; else empty
  std::string_view description;  // one line
  EventGroup group;
  bool precise;  // a sample has the address of the instruction that caused the event
  SoftSupport soft;
  std::string_view soft_note;  // what the software PMU counts, if the name is not enough
};

// Every event, in the order of EventId.
[[nodiscard]] std::span<const EventTemplate> all_events();

[[nodiscard]] const EventTemplate& event_template(EventId id);

// Finds an event by name or alias; nullptr if there is none.
[[nodiscard]] const EventTemplate* find_event(std::string_view name);

// Parses for example "l1_cache_miss,dtlb_load_miss" and keeps the order. Fails with the most similar event's
// name if a name is unknown or repeated.
[[nodiscard]] Result<std::vector<EventId>> parse_event_list(std::string_view list);

[[nodiscard]] std::string_view group_title(EventGroup group);

}  // namespace hm::event
