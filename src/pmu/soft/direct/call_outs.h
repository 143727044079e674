// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core.h"
#include "pmu/soft/sampling/access_info.h"

// Called by the thunks in switch.S, whose comments tell the arguments.
extern "C" {
uint32_t hm_on_data(hm::soft::direct::Core* core, uint64_t address, uint64_t tick, uint32_t what,
                    uint64_t site);
uint32_t hm_on_fetch(hm::soft::direct::Core* core, uint64_t page_offset, uint64_t tick, uint32_t line);
uint32_t hm_on_overflow(hm::soft::direct::Core* core, uint64_t, uint64_t tick, uint32_t event);
uint32_t hm_on_memory(hm::soft::direct::Core* core, uint64_t address, uint64_t tick, uint32_t what);
uint32_t hm_on_store_buffer(hm::soft::direct::Core* core, uint64_t address, uint64_t tick, uint32_t what);
uint32_t hm_on_branch(hm::soft::direct::Core* core, uint64_t ip, uint64_t tick, uint32_t what);
uint32_t hm_on_clock(hm::soft::direct::Core* core, uint64_t ip, uint64_t tick, uint32_t);
uint32_t hm_on_pause(hm::soft::direct::Core* core, uint64_t, uint64_t, uint32_t);
void hm_on_string(hm::soft::direct::Core* core, uint64_t, uint64_t tick);
void hm_on_elements(hm::soft::direct::Core* core, uint64_t base, uint64_t tick);
void hm_take_samples(hm::soft::direct::Core* core, const uint8_t* return_address);
}

namespace hm::soft::direct {

// What checks and events in copied code do for an access of the instruction at `site`, all at once; samples
// are due then (Core::pending).
void whole_access(Core& core, uint64_t address, AccessInfo info, Tick now, uint64_t site);

// `events` of a kind that copied code counts down by itself; a sample may be due then.
void count_events(Core& core, event::EventId id, uint64_t events, Tick now);

// Writes the samples that are due, of the instruction at `ip`, with the context's registers and flags.
void take_samples(Core& core, uint64_t ip);

// The context's status flags are those that checks have saved.
void restore_saved_flags(Core& core);

}  // namespace hm::soft::direct
