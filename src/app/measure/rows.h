// SPDX-License-Identifier: MIT
// How each source is opened for what the options want.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/measure/options.h"
#include "base/result.h"
#include "pmu/source.h"

namespace hm::measure {

// kUnsupported for what only the other can do.
[[nodiscard]] Result<std::unique_ptr<pmu::Source>> open_kernels_pmu(const MeasureOptions& options,
                                                                    const SamplingOptions* sampling);
[[nodiscard]] Result<std::unique_ptr<pmu::Source>> open_software_pmu(const MeasureOptions& options,
                                                                     const SamplingOptions* sampling);

// Who holds the last-level caches, beside the kernel's PMU; null where nobody wants to know.
[[nodiscard]] Result<std::unique_ptr<pmu::Source>> open_occupancy(const MeasureOptions& options,
                                                                  const SamplingOptions* sampling,
                                                                  SourceKind chosen);

// A program that the software PMU cannot run.
[[nodiscard]] std::optional<pmu::Refusal> refuse_for_software_pmu(const std::string& program);

}  // namespace hm::measure
