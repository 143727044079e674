// SPDX-License-Identifier: GPL-2.0-or-later
// What translated code calls when a filter does not let an access pass, or a counter is down.
//
// It calls through thunks (call_outs.S) that preserve every register the translator allocates, so that the
// calls, which are seldom taken, cost the code around them no spills (see vex_patches.cc). The thunks
// pass the guest state, which translated code keeps in rbp, and the frequent ones add what they stand for: a
// site passes two arguments only.
#pragma once

#include <stdint.h>

#include "event/event_id.h"
#include "record/extension.h"
#include "valgrind_api.h"

namespace hm::soft::vg {

// What kind of data access: also the thunks' constants, so call_outs.S agrees with it.
struct AccessInfo {
  uint32_t bytes;
  record::AccessKind kind;
  bool locked;

  [[nodiscard]] constexpr uint32_t pack() const {
    return bytes | static_cast<uint32_t>(kind) << 12 | (locked ? 1u << 16 : 0u);
  }
  static constexpr AccessInfo unpack(uint64_t packed) {
    return {static_cast<uint32_t>(packed & 0xfff), static_cast<record::AccessKind>((packed >> 12) & 0xf),
            ((packed >> 16) & 1) != 0};
  }
};
static_assert(AccessInfo{8, record::AccessKind::kLoad, false}.pack() == 0x1008);
static_assert(AccessInfo{8, record::AccessKind::kStore, false}.pack() == 0x2008);

using Thunk = void (*)(uint64_t, uint64_t);

// The thunk for this kind of access, or null where there is none: then the site leaves the packed info in
// hm_access_info and calls hm_call_data_any.
struct NamedThunk {
  const char* name;
  Thunk thunk;
};
NamedThunk data_thunk(const AccessInfo& info);

}  // namespace hm::soft::vg

extern "C" {
extern uint64_t hm_access_info;

// The thunks; never called from C++. A `stamp` is the tick of the slot at which the site is.
void hm_call_load1(uint64_t address, uint64_t stamp);
void hm_call_load2(uint64_t address, uint64_t stamp);
void hm_call_load4(uint64_t address, uint64_t stamp);
void hm_call_load8(uint64_t address, uint64_t stamp);
void hm_call_load16(uint64_t address, uint64_t stamp);
void hm_call_load32(uint64_t address, uint64_t stamp);
void hm_call_store1(uint64_t address, uint64_t stamp);
void hm_call_store2(uint64_t address, uint64_t stamp);
void hm_call_store4(uint64_t address, uint64_t stamp);
void hm_call_store8(uint64_t address, uint64_t stamp);
void hm_call_store16(uint64_t address, uint64_t stamp);
void hm_call_store32(uint64_t address, uint64_t stamp);
void hm_call_data_any(uint64_t address, uint64_t stamp);
void hm_call_fetch(uint64_t address, uint64_t stamp);
void hm_call_memory_overflow(uint64_t address,
                             uint64_t stamp);  // memory_loads, _stores, _moves; info in hm_access_info
void hm_call_buffer_store(uint64_t address, uint64_t stamp);  // into the store buffer; likewise
void hm_call_buffer_load(uint64_t address, uint64_t stamp);   // out of it; likewise
// Of an instruction: `site` is its address shifted left by 8, plus an EventId or a flag; below 2^56 as user
// addresses are.
void hm_call_overflow(uint64_t site_and_event, uint64_t stamp);
void hm_call_conditional(uint64_t ip, uint64_t taken);
void hm_call_indirect(uint64_t ip, uint64_t target);
void hm_call_return(uint64_t ip, uint64_t target);
void hm_call_call(uint64_t ip, uint64_t return_address);
void hm_call_clock(uint64_t ip, uint64_t stamp);
void hm_call_undecodable(uint64_t ip, uint64_t unused);
// Calls function(argument), and keeps the vector registers that this folder's code must not touch: for what
// ends in Valgrind's own functions.
void hm_save_vectors_and_call(void (*function)(void*), void* argument);
extern const char hm_thunks_begin[];
extern const char hm_thunks_end[];
}

namespace hm::soft::vg {

template <typename T>
void call_saving_vectors(void (*function)(T*), T* argument) {
  hm_save_vectors_and_call(reinterpret_cast<void (*)(void*)>(function), argument);
}

}  // namespace hm::soft::vg
