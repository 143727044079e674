// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "pmu/soft/ring/region_call.h"

namespace hm::capi {

// Passes the operation to the software PMU's engine that runs this program, and returns its answer; kNoEngine
// if there is none.
[[nodiscard]] soft::RegionAnswer send_to_engine(soft::RegionOperation operation, std::string_view region);

}  // namespace hm::capi
