// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "profile/sizes.h"

namespace hm::csv {

// A line for each cache and TLB: sets, ways, line_bytes, page_bytes (one of them), accesses, misses.
[[nodiscard]] std::string sizes_lines(const profile::Sizes& sizes);

}  // namespace hm::csv
