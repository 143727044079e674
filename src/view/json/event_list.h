// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "event/hardware/hardware_events.h"

namespace hm::json {

// {"schema": 1, "cpu", "events": [{"name", "alias", "description", "group", "precise", "software", "note",
// "hardware"}...]}; "alias" and "note" are null where there is none, "software" is "exact", "approximate" or
// "none", "cpu" is the processor that "hardware" is about.
//
// "hardware": {"count": ENCODINGS, "sample": ENCODINGS}: what the processor would be programmed with to count
// and to sample the event. ENCODINGS is {"encodings": [...]}, or {"error": SENTENCE} where it is not to be
// had. An encoding is {"pmu", "type", "config", "config1", "config2", "max_precise_ip", "tells", "keeps",
// "period_unit", "privilege_filter", "privilege_bits", "fewer_samples_bits", "exclusive", "helper", "native",
// "note"}: "type" is null where sysfs says it, configs are hexadecimal strings (64 bits are more than a JSON
// number holds), "keeps", "note" and the bits (by the name in sysfs' `format`) are null where there is none.
[[nodiscard]] std::string event_list_json(const event::HardwareEvents& hardware);

}  // namespace hm::json
