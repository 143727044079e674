// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core.h"

// Called by the thunks in switch.S, whose comments tell the arguments.
extern "C" {
uint32_t hm_on_data(hm::soft::direct::Core* core, uint64_t address, uint64_t tick, uint32_t what);
uint32_t hm_on_fetch(hm::soft::direct::Core* core, uint64_t page_offset, uint64_t tick, uint32_t line);
void hm_on_string(hm::soft::direct::Core* core, uint32_t what);
void hm_take_samples(hm::soft::direct::Core* core, const uint8_t* return_address);
}
