// SPDX-License-Identifier: MIT
// Events are templates: one table that all commands and the C API read.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "event/event_id.h"

namespace hm::event {

enum class EventGroup { kAtRetirement, kFrontEnd, kExecution, kMemory, kCode, kTime };

// How well the software PMU can deliver an event.
enum class SoftSupport {
  kExact,        // counted as defined, on the modelled machine
  kApproximate,  // the note says how
  kNone,         // the note says why
};

struct EventTemplate {
  EventId id;
  std::string_view name;         // the contract: the original's spelling
  std::string_view alias;        // the right spelling where history's is wrong; else empty
  std::string_view description;  // one line
  EventGroup group;
  bool precise;  // a sample names the very instruction that caused the event
  SoftSupport soft;
  std::string_view soft_note;  // what the software PMU counts, where the name does not say it all
};

// Every event, in the order of EventId.
[[nodiscard]] std::span<const EventTemplate> all_events();

[[nodiscard]] const EventTemplate& event_template(EventId id);

// By name or alias; nullptr if there is none.
[[nodiscard]] const EventTemplate* find_event(std::string_view name);

// "l1_cache_miss,dtlb_load_miss" in the order given; an unknown or repeated name is an error that names the
// nearest event.
[[nodiscard]] Result<std::vector<EventId>> parse_event_list(std::string_view list);

[[nodiscard]] std::string_view group_title(EventGroup group);

}  // namespace hm::event
