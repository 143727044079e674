// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "event/hardware/hardware_events.h"
#include "view/text/table.h"

namespace hm::text {

// Lists the processor's encodings for each event. Deviations, or the reason why an event is not available,
// are below it.
[[nodiscard]] std::string hardware_events(const event::HardwareEvents& hardware, const Style& style);

}  // namespace hm::text
