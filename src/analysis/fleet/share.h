// SPDX-License-Identifier: MIT
// Estimates the fraction of events of one kind from many short measurements.
//
// For batches i with x_i of l_i events, the share is R = sum x / sum l; its variance over batches is that of
// rate.h. The samples are therefore worth m = R (1 - R) / variance independent ones, at most their actual
// number. The limits are Wilson's for a share observed among m samples (E. L. Korn and B. I. Graubard, Survey
// Methodology 24 (1998), 193-201). Student's t replaces z because there may be few batches.
#pragma once

#include <optional>

#include "analysis/fleet/rate.h"

namespace hm::fleet {

// Returns the share of `part` in `whole`, a value between 0 and 1; nullopt if `whole` is empty. The load of
// `part` is the count of `whole` (store/part_sums.h).
[[nodiscard]] std::optional<Rate> share_of(const store::Group& part, const store::Group& whole);

}  // namespace hm::fleet
