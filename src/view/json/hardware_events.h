// SPDX-License-Identifier: MIT
#pragma once

#include "event/hardware/hardware_events.h"
#include "view/json/values.h"

namespace hm::json {

// {"count": ENCODINGS, "sample": ENCODINGS}: what the processor would be programmed with to count and to
// sample the event. ENCODINGS is {"encodings": [...]}, or {"error": SENTENCE} where it is not to be had. An
// encoding is {"pmu", "type", "config", "config1", "config2", "max_precise_ip", "tells", "keeps",
// "period_unit", "privilege_filter", "privilege_bits", "fewer_samples_bits", "exclusive", "helper", "native",
// "note"}: "type" is null where sysfs says it, configs are hexadecimal strings (64 bits are more than a JSON
// number holds), "keeps", "note" and the bits (by the name in sysfs' `format`) are null where there is none.
[[nodiscard]] Json to_json(const event::HardwareEvent& hardware);

}  // namespace hm::json
