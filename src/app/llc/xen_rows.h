// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "app/llc/rows.h"

namespace hm::llc {

// Returns a row for each running domain of Xen in `wanted`; empty: all. If xl fails, returns the domains of
// its last successful call.
[[nodiscard]] WantedRows xen_rows(std::vector<uint32_t> wanted);

}  // namespace hm::llc
