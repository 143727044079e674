// SPDX-License-Identifier: MIT
// A batch as OpenTelemetry's profiles signal has it: an ExportProfilesServiceRequest, serialized, by the
// messages of opentelemetry-proto v1.10.0 (package opentelemetry.proto.profiles.v1development), which later
// versions may break: it is in development.
#pragma once

#include <cstdint>
#include <string>

#include "store/batch.h"

namespace hm::agent {

// Resource profiles for each build of a service, in them two profiles for each event: EVENT, whose values are
// the estimated events (nanoseconds of the clock), and EVENT_samples. A stack is one place. `lasts_ns`: how
// long was measured; `version`: hardmeter's.
[[nodiscard]] std::string otlp_request(const store::Batch& batch, uint64_t lasts_ns,
                                       const std::string& version);

}  // namespace hm::agent
