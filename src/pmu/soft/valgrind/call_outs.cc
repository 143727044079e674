// SPDX-License-Identifier: GPL-2.0-or-later
#include "call_outs.h"

#include "collection.h"
#include "core_model.h"
#include "heap.h"
#include "pmu/soft/sampling/accounting.h"
#include "process_records.h"
#include "sampling.h"
#include "threads.h"
#include "valgrind_api.h"

namespace hm::soft::vg {
namespace {

struct Running {
  VexGuestAMD64State* state;

  static ModelledCore& core() { return g_core; }
  static Counters& counters() { return g_counters; }
  [[nodiscard]] uint64_t ip() const { return state->guest_RIP; }
  [[nodiscard]] uint64_t site() const { return state->guest_RIP; }
  static const AddressSources* address_sources() { return nullptr; }  // VEX's code is not analysed
  static bool read(uint64_t address, uint64_t* words) {
    constexpr uint64_t kBytes = kWordsOfLine * sizeof(uint64_t);
    if (!VG_(am_is_valid_for_client)(address, kBytes, VKI_PROT_READ)) return false;
    __builtin_memcpy(words, reinterpret_cast<const void*>(address), kBytes);
    return true;
  }
  void sample(EventId id, const Cause& cause, Tick now) const { vg::sample(id, cause, now, state); }
};

Accounting<Running> account(VexGuestAMD64State* state) { return Accounting(Running{state}); }

void report_undecodable(uint64_t* ip) { record_undecodable(*ip); }

}  // namespace

extern "C" {

void hm_on_data(uint64_t address, VexGuestAMD64State* state, Tick now, uint64_t packed) {
  account(state).on_data(address, AccessInfo::unpack(packed), now);
}

void hm_on_fetch(uint64_t index, VexGuestAMD64State* state, Tick now, model::CodePage* page) {
  account(state).on_fetch(index, *page, now);
}

void hm_on_overflow(uint64_t site_and_event, VexGuestAMD64State* state, Tick now) {
  account(state).on_overflow(static_cast<EventId>(site_and_event & 0xff), site_and_event >> 8, now);
}

void hm_on_memory_overflow(uint64_t address, VexGuestAMD64State* state, Tick now, uint64_t packed) {
  account(state).on_memory_overflow(address, AccessInfo::unpack(packed), now);
}

void hm_on_buffer_store(uint64_t address, VexGuestAMD64State* state, Tick now, uint64_t packed) {
  account(state).on_buffer_store(address, AccessInfo::unpack(packed), now);
}

void hm_on_buffer_load(uint64_t address, VexGuestAMD64State* state, Tick now, uint64_t packed) {
  account(state).on_buffer_load(address, AccessInfo::unpack(packed), now);
}

void hm_on_sizes(uint64_t address, VexGuestAMD64State* state, Tick, uint64_t packed) {
  account(state).on_size(address, AccessInfo::unpack(packed));
}

void hm_on_conditional(uint64_t ip, uint64_t taken, VexGuestAMD64State* state) {
  account(state).on_conditional(ip, taken != 0, hot_counters(state).tick);
}

void hm_on_indirect(uint64_t ip, uint64_t target, VexGuestAMD64State* state) {
  account(state).on_indirect(ip, target, hot_counters(state).tick);
}

void hm_on_return(uint64_t ip, uint64_t target, VexGuestAMD64State* state) {
  account(state).on_return(ip, target, hot_counters(state).tick);
}

void hm_on_call(uint64_t, uint64_t return_address, VexGuestAMD64State* state) {
  account(state).on_call(return_address);
}

void hm_on_clock(uint64_t ip, VexGuestAMD64State* state, Tick now) { account(state).on_clock(ip, now); }

void hm_on_undecodable(uint64_t ip, uint64_t, VexGuestAMD64State*) {
  call_saving_vectors(report_undecodable, &ip);
}

void hm_on_enter(uint64_t ip, uint64_t sp, VexGuestAMD64State*) { enter_function(ip, sp); }
void hm_on_leave(uint64_t sp, uint64_t, VexGuestAMD64State*) { leave_function(sp); }
void hm_on_allocate(uint64_t ip, uint64_t, VexGuestAMD64State* state) { enter_allocator(ip, state); }
void hm_on_allocated(uint64_t sp, uint64_t result, VexGuestAMD64State*) { leave_allocator(sp, result); }

}  // extern "C"

}  // namespace hm::soft::vg
