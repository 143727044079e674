// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "event/hardware/hardware_events.h"

namespace hm::json {

// {"schema": 1, "cpu", "events": [{"name", "alias", "description", "group", "precise", "software", "note",
// "hardware"}...]}; "alias" and "note" are null where there is none, "software" is "exact", "approximate" or
// "none", "cpu" is the processor that "hardware" (hardware_events.h) is about.
[[nodiscard]] std::string event_list_json(const event::HardwareEvents& hardware);

}  // namespace hm::json
