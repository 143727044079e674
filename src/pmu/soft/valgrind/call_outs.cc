// SPDX-License-Identifier: GPL-2.0-or-later
#include "call_outs.h"

#include <initializer_list>

#include "core_model.h"
#include "process_records.h"
#include "sampling.h"
#include "session_link.h"
#include "threads.h"

namespace hm::soft::vg {
namespace {

using event::EventId;
using record::AccessKind;

Tick tick_at(VexGuestAMD64State* state, uint32_t position) {
  return hot_counters(state).tick + 2 * Tick{position};
}

Cause cause_of_access(uint64_t address, const AccessInfo& info, VexGuestAMD64State* state) {
  Cause cause;
  cause.ip = state->guest_RIP;
  cause.address = address;
  cause.bytes = static_cast<uint16_t>(info.bytes);
  cause.kind = info.kind;
  cause.locked = info.locked;
  return cause;
}

void count_load(const Cause& cause, Tick now, VexGuestAMD64State* state) {
  const model::Outcome& outcome = cause.outcome;
  if (outcome.l1_misses != 0) count(EventId::kL1CacheMiss, outcome.l1_misses, cause, now, state);
  if (outcome.l2_misses != 0) count(EventId::kL2CacheMiss, outcome.l2_misses, cause, now, state);
  if (outcome.l3_misses != 0) count(EventId::kL3CacheMiss, outcome.l3_misses, cause, now, state);
  if (outcome.tlb_misses != 0) count(EventId::kDtlbLoadMiss, outcome.tlb_misses, cause, now, state);
  if (outcome.lines > 1) count(EventId::kSplitLoadRetired, 1, cause, now, state);
}

void count_store(const Cause& cause, Tick now, VexGuestAMD64State* state) {
  const model::Outcome& outcome = cause.outcome;
  if (outcome.l1_misses != 0) count(EventId::kL1StoreMiss, outcome.l1_misses, cause, now, state);
  if (outcome.tlb_misses != 0) count(EventId::kDtlbStoreMiss, outcome.tlb_misses, cause, now, state);
}

void add_stall(const model::Outcome& outcome) {
  g_stall_cycles += outcome.latency_cycles - g_machine.geometry().latency.l1;
}

}  // namespace
}  // namespace hm::soft::vg

using namespace hm::soft::vg;  // NOLINT: the functions below are the C face of this file
using hm::event::EventId;
using hm::record::AccessKind;
using hm::soft::Cause;

extern "C" {

void hm_on_data(uint64_t address, uint64_t packed, VexGuestAMD64State* state) {
  AccessInfo info = AccessInfo::unpack(packed);
  Tick now = tick_at(state, info.position);
  hm::model::Outcome outcome = g_machine.access_data(address, info.bytes, now);
  if (outcome.lines == 1 && outcome.l1_misses == 0 && outcome.tlb_misses == 0) return;
  add_stall(outcome);
  Cause cause = cause_of_access(address, info, state);
  cause.outcome = outcome;
  if (info.kind == AccessKind::kStore) {
    count_store(cause, now, state);
  } else {
    count_load(cause, now, state);
  }
  if (outcome.tlb_misses != 0) count(EventId::kDtlbAllMiss, outcome.tlb_misses, cause, now, state);
}

void hm_on_fetch(uint64_t address, uint64_t packed, VexGuestAMD64State* state) {
  FetchInfo info = FetchInfo::unpack(packed);
  Tick now = tick_at(state, info.position);
  uint64_t* flag = code_flag(info.flag_index);
  hm::model::Outcome outcome = g_machine.fetch(address >> g_machine.line_shift(), now, flag);
  if (info.flag_index == kSharedCodeFlag) *flag = 0;
  if (outcome.l1_misses == 0 && outcome.tlb_misses == 0) return;
  add_stall(outcome);
  Cause cause;
  cause.ip = state->guest_RIP;
  cause.address = address;
  cause.bytes = static_cast<uint16_t>(g_machine.geometry().line_bytes);
  cause.kind = AccessKind::kFetch;
  cause.outcome = outcome;
  if (outcome.l1_misses != 0) count(EventId::kICacheMiss, outcome.l1_misses, cause, now, state);
  if (outcome.tlb_misses != 0) count(EventId::kItlbMiss, outcome.tlb_misses, cause, now, state);
}

void hm_on_overflow(uint64_t ip, uint64_t packed, VexGuestAMD64State* state) {
  EventInfo info = EventInfo::unpack(packed);
  Cause cause;
  cause.ip = ip;
  sample(info.id, cause, tick_at(state, info.position), state);
}

void hm_on_memory_overflow(uint64_t address, uint64_t packed, VexGuestAMD64State* state) {
  AccessInfo info = AccessInfo::unpack(packed);
  Tick now = tick_at(state, info.position);
  Cause cause = cause_of_access(address, info, state);
  // The level is that of an access which the models have already seen: a hit unless it has just missed.
  EventId own = info.kind == AccessKind::kStore ? EventId::kMemoryStores : EventId::kMemoryLoads;
  for (EventId id : {own, EventId::kMemoryMoves}) {
    if (g_counters.sampled(id) && *g_counters.remaining(id) <= 0) sample(id, cause, now, state);
  }
}

void hm_on_store(uint64_t address, uint64_t packed, VexGuestAMD64State* state) {
  AccessInfo info = AccessInfo::unpack(packed);
  g_store_buffer.store(address, info.bytes, tick_at(state, info.position) / 2);
}

void hm_on_load(uint64_t address, uint64_t packed, VexGuestAMD64State* state) {
  AccessInfo info = AccessInfo::unpack(packed);
  Tick now = tick_at(state, info.position);
  using Match = hm::model::StoreBuffer::Match;
  Match match = g_store_buffer.load(address, info.bytes, now / 2);
  if (match != Match::kBlocked && match != Match::kAlias) return;
  count(EventId::kMobLoadReplayRetired, 1, cause_of_access(address, info, state), now, state);
}

void hm_on_conditional(uint64_t ip, uint64_t taken, VexGuestAMD64State* state) {
  if (g_predictor.conditional(ip, taken != 0)) return;
  Cause cause;
  cause.ip = ip;
  g_stall_cycles += g_machine.geometry().latency.mispredict;
  count(EventId::kBranchMispredict, 1, cause, hot_counters(state).tick, state);
}

void hm_on_indirect(uint64_t ip, uint64_t target, VexGuestAMD64State* state) {
  if (g_predictor.indirect(ip, target)) return;
  Cause cause;
  cause.ip = ip;
  g_stall_cycles += g_machine.geometry().latency.mispredict;
  count(EventId::kBranchMispredict, 1, cause, hot_counters(state).tick, state);
}

void hm_on_return(uint64_t ip, uint64_t target, VexGuestAMD64State* state) {
  if (g_predictor.ret(target)) return;
  Cause cause;
  cause.ip = ip;
  g_stall_cycles += g_machine.geometry().latency.mispredict;
  count(EventId::kBranchMispredict, 1, cause, hot_counters(state).tick, state);
}

void hm_on_call(uint64_t, uint64_t return_address, VexGuestAMD64State*) { g_predictor.call(return_address); }

void hm_on_clock(uint64_t ip, uint64_t packed, VexGuestAMD64State* state) {
  EventInfo info = EventInfo::unpack(packed);
  Tick now = tick_at(state, info.position);
  static uint64_t last_cycles = 0;
  uint64_t cycles = now / 2 + g_stall_cycles;
  Cause cause;
  cause.ip = ip;
  count(EventId::kClock, cycles - last_cycles, cause, now, state);
  last_cycles = cycles;
}

void hm_on_undecodable(uint64_t ip, uint64_t, VexGuestAMD64State*) { record_undecodable(ip); }

}  // extern "C"
