// SPDX-License-Identifier: MIT
// Independent accesses: sequential reading, writing and copying, and stores at random.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "host/calibration/machine_profile.h"
#include "host/calibration/repeated.h"

namespace hm::host {

// The memory must be aligned to 64 bytes, and its size a multiple of 512.
[[nodiscard]] Bandwidth measure_bandwidth(std::span<std::byte> memory, const Repetitions& repetitions);

// Returns the time of a store of 8 bytes to a random line. The number of lines must be a power of two.
[[nodiscard]] Estimate time_of_store(std::span<std::byte> memory, const Repetitions& repetitions);

}  // namespace hm::host
