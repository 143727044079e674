// SPDX-License-Identifier: MIT
// Source that measures with the software PMU.
#pragma once

#include <memory>

#include "app/measure/soft/soft_options.h"
#include "base/result.h"
#include "pmu/source.h"

namespace hm::measure {

// Chooses the engine and the modelled machine without starting anything.
[[nodiscard]] Result<std::unique_ptr<pmu::Source>> open_soft_source(const SoftOptions& options);

}  // namespace hm::measure
