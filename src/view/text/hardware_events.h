// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "event/hardware/hardware_events.h"
#include "view/text/table.h"

namespace hm::text {

// What the processor would be programmed with for each event, with what differs or why it is not to be had
// below it.
[[nodiscard]] std::string hardware_events(const event::HardwareEvents& hardware, const Style& style);

}  // namespace hm::text
