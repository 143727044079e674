// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/sampling/access_info.h"
#include "pmu/soft/sampling/demand.h"

// Called by the thunks in switch.S, which document the arguments.
extern "C" {
uint32_t hm_on_data(hm::soft::direct::Core* core, uint64_t address, uint64_t tick, uint32_t what,
                    uint64_t site);
uint32_t hm_on_fetch(hm::soft::direct::Core* core, uint64_t page_offset, uint64_t tick, uint32_t line);
uint32_t hm_on_overflow(hm::soft::direct::Core* core, uint64_t, uint64_t tick, uint32_t event);
uint32_t hm_on_memory(hm::soft::direct::Core* core, uint64_t address, uint64_t tick, uint32_t what);
uint32_t hm_on_store_buffer(hm::soft::direct::Core* core, uint64_t address, uint64_t tick, uint32_t what);
uint32_t hm_on_sizes(hm::soft::direct::Core* core, uint64_t address, uint64_t tick, uint32_t what);
uint32_t hm_on_branch(hm::soft::direct::Core* core, uint64_t ip, uint64_t tick, uint32_t what);
uint32_t hm_on_clock(hm::soft::direct::Core* core, uint64_t ip, uint64_t tick, uint32_t);
uint32_t hm_on_pause(hm::soft::direct::Core* core, uint64_t, uint64_t, uint32_t);
void hm_on_heap(hm::soft::direct::Core* core, uint64_t address, uint32_t what);
void hm_on_string(hm::soft::direct::Core* core, uint64_t, uint64_t tick);
void hm_on_elements(hm::soft::direct::Core* core, uint64_t base, uint64_t tick);
void hm_take_samples(hm::soft::direct::Core* core, const uint8_t* return_address);
}

namespace hm::soft::direct {

// Returns the events that the session needs from the code that runs on the core now: none between bursts.
const Demand& demand_now(const Core& core);

// Does everything that checks and event counters in copied code do, for an access by the instruction at
// `site`. Samples that are due are in Core::pending afterwards.
void whole_access(Core& core, uint64_t address, AccessInfo info, Tick now, uint64_t site);

// As whole_access(), for an access within one line that the kernel makes in a system call, at the core's
// tick.
void kernel_access(Core& core, uint64_t address, AccessInfo info);

// Counts events of a kind that copied code otherwise counts down inline. A sample that is due is in
// Core::pending afterwards.
void count_events(Core& core, event::EventId id, uint64_t events, Tick now);

// Writes the samples in Core::pending for the instruction at `ip`, with the context's registers and flags.
void take_samples(Core& core, uint64_t ip);

// Sets the context's status flags to the flags that checks have saved.
void restore_saved_flags(Core& core);

}  // namespace hm::soft::direct
