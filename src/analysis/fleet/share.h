// SPDX-License-Identifier: MIT
// Which part of something is of a kind, of what many short measurements saw.
//
// Of batches i with x_i of l_i the share is R = sum x / sum l, whose variance over batches is that of rate.h.
// So the samples tell as much as m = R (1 - R) / variance independent ones, at most as many as there are, and
// the limits are Wilson's of a share that was found among m (E. L. Korn and B. I. Graubard, Survey
// Methodology 24 (1998), 193-201), with Student's t for z, as batches may be few.
#pragma once

#include <optional>

#include "analysis/fleet/rate.h"

namespace hm::fleet {

// A value between 0 and 1. `whole`: of which `part` is one; its load is its count (store/part_sums.h).
// nullopt where it is nothing.
[[nodiscard]] std::optional<Rate> share_of(const store::Group& part, const store::Group& whole);

}  // namespace hm::fleet
