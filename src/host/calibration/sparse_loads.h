// SPDX-License-Identifier: MIT
// How far the processor looks ahead of a load that waits for memory. Independent loads with other
// instructions between them overlap as far as they are in execution at the same time: the limit is the
// reorder buffer, or the registers that these instructions write (Wong, "Measuring Reorder Buffer Capacity",
// 2013).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "host/calibration/repeated.h"

namespace hm::host {

inline constexpr uint32_t kInstructionsPerSparseLoad = 32;  // the load included; all but one write a register

// Returns the time per load, from random lines of the memory.
[[nodiscard]] Estimate time_of_sparse_load(std::span<const std::byte> memory, const Repetitions& repetitions);

}  // namespace hm::host
