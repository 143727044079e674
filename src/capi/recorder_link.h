// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "pmu/soft/ring/region_call.h"

namespace hm::capi {

// Tells the software PMU's engine that runs this program, and gives its answer; kNoEngine where no engine
// does.
[[nodiscard]] soft::RegionAnswer tell_engine(soft::RegionOperation operation, std::string_view region);

}  // namespace hm::capi
