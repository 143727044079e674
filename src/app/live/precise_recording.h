// SPDX-License-Identifier: MIT
// A recording that ends once it knows enough.
#pragma once

#include "app/measure/record.h"
#include "base/result.h"
#include "symbol/resolver.h"

namespace hm::live {

// Samples the target until it is over, or the shares of the five hottest functions of each event that has
// samples are known to `share` (0.01: to a percentage point, by 95 % intervals). `resolver` outlives it.
[[nodiscard]] Result<measure::Recorded> record_until(const measure::RecordOptions& options, double share,
                                                     const measure::Observer& observer,
                                                     const symbol::Resolver& resolver);

}  // namespace hm::live
