// SPDX-License-Identifier: MIT
// The presence words of code lines (sampling/code_pages.h). Each core has its own, at the same offset from
// the core.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core.h"

namespace hm::soft::direct {

// Where, from a core's address, its presence words are.
struct CodePageSpace {
  uint64_t offset;
  uint64_t bytes;
};

// Gives a new core presence words for the same pages as the others have.
void add_code_pages(Core* core, CodePageSpace space);

// The offset, from a core, of the presence words of the page that holds `address`. They are made if the page
// is new; 0 where there is no room for more: fetches from it are not modelled. One thread at a time.
uint32_t code_page_offset(uint64_t address);

}  // namespace hm::soft::direct
