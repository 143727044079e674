// SPDX-License-Identifier: MIT
// Functions that open each source with the given options.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/measure/options.h"
#include "base/result.h"
#include "pmu/source.h"

namespace hm::measure {

// Both functions fail with kUnsupported if an option requires the other PMU.
[[nodiscard]] Result<std::unique_ptr<pmu::Source>> open_kernels_pmu(const MeasureOptions& options,
                                                                    const SamplingOptions* sampling);
[[nodiscard]] Result<std::unique_ptr<pmu::Source>> open_software_pmu(const MeasureOptions& options,
                                                                     const SamplingOptions* sampling);

// Opens the recording of last-level cache occupancy beside the kernel's PMU; returns null if it is not
// requested.
[[nodiscard]] Result<std::unique_ptr<pmu::Source>> open_occupancy(const MeasureOptions& options,
                                                                  const SamplingOptions* sampling,
                                                                  SourceKind chosen);

// Returns a refusal if the software PMU cannot run the program.
[[nodiscard]] std::optional<pmu::Refusal> refuse_for_software_pmu(const std::string& program);

}  // namespace hm::measure
