// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "event/event_template.h"

namespace hm::json {

// {"schema": 1, "events": [{"name", "alias", "description", "group", "precise", "software", "note"}...]};
// "alias" and "note" are null where there is none, "software" is "exact", "approximate" or "none".
[[nodiscard]] std::string event_list_json(std::span<const event::EventTemplate* const> events);

}  // namespace hm::json
