// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "event/hardware/hardware_events.h"

namespace hm::json {

// {"schema": 1, "cpu", "events": [{"name", "alias", "description", "group", "precise", "software", "note",
// "hardware"}...]}. A missing "alias" or "note" is null. "software" is "exact", "approximate" or "none".
// "cpu" is the processor that "hardware" describes.
//
// "hardware": {"count": ENCODINGS, "sample": ENCODINGS}: the processor's encodings for counting and for
// sampling the event. ENCODINGS is {"encodings": [...]}, or {"error": SENTENCE} if the event is not
// available. An encoding is {"pmu", "type", "config", "config1", "config2", "max_precise_ip", "tells",
// "keeps", "period_unit", "privilege_filter", "privilege_bits", "fewer_samples_bits", "exclusive", "helper",
// "native", "note"}. "type" is null if it has to be read from sysfs. Configs are hexadecimal strings, because
// 64 bits exceed a JSON number. "keeps", "note" and the bits (names in sysfs' `format`) are null if missing.
[[nodiscard]] std::string event_list_json(const event::HardwareEvents& hardware);

}  // namespace hm::json
