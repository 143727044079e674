// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"

namespace hm::host {

// Returns the CPUs that the calling thread may run on (sched_getaffinity(2)).
[[nodiscard]] std::vector<int> allowed_cpus();

// Pins the calling thread to a CPU permanently: `wanted`, or the current one. Returns the CPU. Fails with
// kInvalidArgument if the thread may not run there.
Result<int> pin_to(std::optional<int> wanted);

}  // namespace hm::host
