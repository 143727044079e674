// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "profile/recorded_sizes.h"

namespace hm::csv {

// Returns a line for each cache and TLB: sets, ways, line_bytes or page_bytes, accesses, misses.
[[nodiscard]] std::string sizes_lines(const profile::Sizes& sizes);

}  // namespace hm::csv
