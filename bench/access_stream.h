// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace hm::bench {

// Runs the program under the software PMU and calls `take` for each of its data accesses, in order. With
// `fetches`, also for each instruction. Ends the program when `take` returns false.
Status stream_accesses(const std::vector<std::string>& command, bool fetches,
                       std::function<bool(uint64_t address, bool is_fetch)> take);

}  // namespace hm::bench
