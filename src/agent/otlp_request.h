// SPDX-License-Identifier: MIT
// Converts a batch to OpenTelemetry's profiles signal: a serialized ExportProfilesServiceRequest with the
// messages of opentelemetry-proto v1.10.0 (package opentelemetry.proto.profiles.v1development). The package
// is in development, so later versions may be incompatible.
#pragma once

#include <cstdint>
#include <string>

#include "store/batch.h"

namespace hm::agent {

// Returns resource profiles for each build of a service. They have two profiles for each event: EVENT, with
// the estimated number of events (nanoseconds for the clock), and EVENT_samples. Each stack is a single
// location. `lasts_ns` is the length of the measurement, `version` is hardmeter's.
[[nodiscard]] std::string otlp_request(const store::Batch& batch, uint64_t lasts_ns,
                                       const std::string& version);

}  // namespace hm::agent
