// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "host/estimate.h"

namespace hm::host {

// Returns the time in which a line that another core has modified reaches this one: half of a round trip of a
// counter between this thread, on `cpu`, and one on another of the `allowed` CPUs, if possible of another
// core. Returns nullopt if there is no other CPU, or if it did not answer for a tenth of a second, or slowly.
[[nodiscard]] std::optional<Estimate> time_of_modified_line(int cpu, const std::vector<int>& allowed);

}  // namespace hm::host
