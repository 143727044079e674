// SPDX-License-Identifier: MIT
// A recording that stops at a given precision.
#pragma once

#include "app/measure/record_run.h"
#include "base/result.h"
#include "symbol/resolver.h"

namespace hm::live {

// Samples the target until it ends or the results are precise enough. The criterion is the 95 % interval of
// the shares of the five hottest functions of each sampled event: its half-width is at most `share` (0.01 is
// one percentage point). `resolver` must outlive the call.
[[nodiscard]] Result<measure::Recorded> record_until(const measure::RecordOptions& options, double share,
                                                     const measure::Observer& observer,
                                                     const symbol::Resolver& resolver);

}  // namespace hm::live
