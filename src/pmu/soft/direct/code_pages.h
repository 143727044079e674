// SPDX-License-Identifier: MIT
// The words of code lines (sampling/code_pages.h): each core has its own, at the same offset from the core.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core.h"

namespace hm::soft::direct {

// Where a core has them.
struct CodePageSpace {
  uint64_t offset;
  uint64_t bytes;
};

// A new core's words: the same as the others have.
void add_code_pages(Core* core, CodePageSpace space);

// The offset of the page that holds `address`, made now if it is new; 0 when there is no room for more: its
// fetches are then not modelled. One thread at a time.
uint32_t code_page_offset(uint64_t address);

}  // namespace hm::soft::direct
