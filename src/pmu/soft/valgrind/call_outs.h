// SPDX-License-Identifier: GPL-2.0-or-later
// Call-outs: functions that translated code calls if an access does not pass a filter, or a counter has
// reached 0.
//
// Translated code calls through thunks (call_outs.S) that preserve every register the translator allocates.
// So these rare calls cost the code around them no spills (see vex_patches.cc). The thunks add the guest
// state, which translated code keeps in rbp.
#pragma once

#include <stdint.h>

extern "C" {
// Thunks of sites, never called from C++. A site passes an argument, its stamp and its AccessInfo in
// registers (site_code.cc).
void hm_call_data();             // an access that did not pass the filter
void hm_call_fetch();            // a code line with the presence word 0
void hm_call_memory_overflow();  // memory_loads, _stores, _moves
void hm_call_buffer_store();     // a store, for the store buffer
void hm_call_buffer_load();      // a load, for the store buffer
void hm_call_sizes();            // any access, for all cache sizes
// For an instruction: the argument is its address shifted left by 8, plus an EventId. It fits, because user
// addresses are below 2^56.
void hm_call_overflow();
void hm_call_clock();
// Thunks that are called like functions.
void hm_call_conditional(uint64_t ip, uint64_t taken);
void hm_call_indirect(uint64_t ip, uint64_t target);
void hm_call_return(uint64_t ip, uint64_t target);
void hm_call_call(uint64_t ip, uint64_t return_address);
void hm_call_undecodable(uint64_t ip, uint64_t unused);
void hm_call_enter(uint64_t ip, uint64_t stack_pointer);
void hm_call_leave(uint64_t stack_pointer, uint64_t unused);
void hm_call_allocate(uint64_t ip, uint64_t unused);
void hm_call_allocated(uint64_t stack_pointer, uint64_t result);
// Calls function(argument), and preserves the vector registers that this folder's code must not use. Required
// for calls of Valgrind's own functions.
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
