// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "app/llc/rows.h"

namespace hm::llc {

// Domains of Xen that run now, a row each; `wanted` empty: all. Where xl does not tell, those that it told
// before.
[[nodiscard]] WantedRows xen_rows(std::vector<uint32_t> wanted);

}  // namespace hm::llc
