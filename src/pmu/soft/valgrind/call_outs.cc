// SPDX-License-Identifier: GPL-2.0-or-later
#include "call_outs.h"

#include <initializer_list>

#include "core_model.h"
#include "process_records.h"
#include "sampling.h"
#include "session_link.h"
#include "site.h"
#include "threads.h"

namespace hm::soft::vg {
namespace {

using event::EventId;
using record::AccessKind;

Cause cause_of_access(uint64_t address, const AccessInfo& info, VexGuestAMD64State* state) {
  Cause cause;
  cause.ip = state->guest_RIP;
  cause.address = address;
  cause.bytes = static_cast<uint16_t>(info.bytes);
  cause.kind = info.kind;
  cause.locked = info.locked;
  return cause;
}

void add_stall(const model::Outcome& outcome) {
  g_stall_cycles += outcome.latency_cycles - g_machine.geometry().latency.l1;
}

// Counts, and only where a sample is due finds out what it has to say.
void count_data(EventId id, uint64_t events, uint64_t address, Tick now, const AccessInfo& info,
                const model::Outcome& outcome, VexGuestAMD64State* state) {
  if (events == 0 || !g_counters.add(id, events)) return;
  Cause cause = cause_of_access(address, info, state);
  cause.outcome = outcome;
  sample(id, cause, now, state);
}

void count_data_events(uint64_t address, Tick now, const AccessInfo& info, const model::Outcome& outcome,
                       VexGuestAMD64State* state) {
  const auto count_event = [&](EventId id, uint64_t events) {
    count_data(id, events, address, now, info, outcome, state);
  };
  add_stall(outcome);
  if (info.kind == AccessKind::kStore) {
    count_event(EventId::kL1StoreMiss, outcome.l1_misses);
    count_event(EventId::kDtlbStoreMiss, outcome.tlb_misses);
  } else {
    count_event(EventId::kL1CacheMiss, outcome.l1_misses);
    count_event(EventId::kL2CacheMiss, outcome.l2_misses);
    count_event(EventId::kL3CacheMiss, outcome.l3_misses);
    count_event(EventId::kDtlbLoadMiss, outcome.tlb_misses);
  }
  count_event(EventId::kDtlbAllMiss, outcome.tlb_misses);
}

// Of an access over several lines, beyond what each of them counts.
void count_split(uint64_t address, Tick now, const AccessInfo& info, const model::Outcome& outcome,
                 VexGuestAMD64State* state) {
  bool store = info.kind == AccessKind::kStore;
  uint32_t more_misses = outcome.l1_misses > 1 ? outcome.l1_misses - 1 : 0;
  if (!store) count_data(EventId::kSplitLoadRetired, 1, address, now, info, outcome, state);
  count_data(store ? EventId::kSplitStoreMiss : EventId::kSplitLoadMiss, more_misses, address, now, info,
             outcome, state);
}

// True where an instruction's second line missed, which has the odd stamp of its slot, and its first did too.
bool is_second_miss(const model::Outcome& outcome, Tick now) {
  static Tick last_miss = 0;
  bool second = outcome.l1_misses != 0 && now % 2 != 0 && last_miss + 1 == now;
  if (outcome.l1_misses != 0) last_miss = now;
  return second;
}

void count_fetch(const model::Outcome& outcome, uint64_t line_address, Tick now, VexGuestAMD64State* state) {
  add_stall(outcome);
  Cause cause;
  cause.ip = state->guest_RIP;
  cause.address = line_address;
  cause.bytes = static_cast<uint16_t>(g_machine.geometry().line_bytes);
  cause.kind = AccessKind::kFetch;
  cause.outcome = outcome;
  if (outcome.l1_misses != 0) count(EventId::kICacheMiss, outcome.l1_misses, cause, now, state);
  if (is_second_miss(outcome, now)) count(EventId::kSplitFetchMiss, 1, cause, now, state);
  if (outcome.tlb_misses != 0) count(EventId::kItlbMiss, outcome.tlb_misses, cause, now, state);
}

void tell_undecodable(uint64_t* ip) { record_undecodable(*ip); }

void mispredicted(uint64_t ip, VexGuestAMD64State* state) {
  Cause cause;
  cause.ip = ip;
  g_stall_cycles += g_machine.geometry().latency.mispredict;
  count(EventId::kBranchMispredict, 1, cause, hot_counters(state).tick, state);
}

}  // namespace

extern "C" {

void hm_on_data(uint64_t address, VexGuestAMD64State* state, Tick now, uint64_t packed) {
  // The program is about to wait for this line: let the host fetch it while the models are at work.
  __builtin_prefetch(reinterpret_cast<const void*>(address));
  AccessInfo info = AccessInfo::unpack(packed);
  uint64_t line = address >> g_machine.line_shift();
  if ((address + info.bytes - 1) >> g_machine.line_shift() != line) {
    model::Outcome outcome = g_machine.access_data(address, info.bytes, now);
    count_data_events(address, now, info, outcome, state);
    count_split(address, now, info, outcome, state);
    return;
  }
  model::LineOutcome met = g_machine.access_line(line, now);
  if (!met.plain_hit()) count_data_events(address, now, info, g_machine.outcome_of(met), state);
}

void hm_on_fetch(uint64_t index, VexGuestAMD64State* state, Tick now, model::CodePage* page) {
  uint64_t line = page->number * g_machine.lines_per_page() + index;
  model::LineOutcome met = g_machine.fetch_line(line, now, *page);
  if (!met.plain_hit()) count_fetch(g_machine.outcome_of(met), line << g_machine.line_shift(), now, state);
}

void hm_on_overflow(uint64_t site_and_event, VexGuestAMD64State* state, Tick now) {
  Cause cause;
  cause.ip = site_and_event >> 8;
  sample(static_cast<EventId>(site_and_event & 0xff), cause, now, state);
}

void hm_on_memory_overflow(uint64_t address, VexGuestAMD64State* state, Tick now, uint64_t packed) {
  AccessInfo info = AccessInfo::unpack(packed);
  Cause cause = cause_of_access(address, info, state);
  EventId own = info.kind == AccessKind::kStore ? EventId::kMemoryStores : EventId::kMemoryLoads;
  for (EventId id : {own, EventId::kMemoryMoves}) {
    if (g_counters.sampled(id) && *g_counters.remaining(id) <= 0) sample(id, cause, now, state);
  }
}

void hm_on_buffer_store(uint64_t address, VexGuestAMD64State*, Tick now, uint64_t packed) {
  g_store_buffer.store(address, AccessInfo::unpack(packed).bytes, now / 2);
}

void hm_on_buffer_load(uint64_t address, VexGuestAMD64State* state, Tick now, uint64_t packed) {
  AccessInfo info = AccessInfo::unpack(packed);
  using Match = model::StoreBuffer::Match;
  Match match = g_store_buffer.load(address, info.bytes, now / 2);
  if (match != Match::kBlocked && match != Match::kAlias) return;
  count(EventId::kMobLoadReplayRetired, 1, cause_of_access(address, info, state), now, state);
}

void hm_on_conditional(uint64_t ip, uint64_t taken, VexGuestAMD64State* state) {
  if (!g_predictor.conditional(ip, taken != 0)) mispredicted(ip, state);
}

void hm_on_indirect(uint64_t ip, uint64_t target, VexGuestAMD64State* state) {
  if (!g_predictor.indirect(ip, target)) mispredicted(ip, state);
}

void hm_on_return(uint64_t ip, uint64_t target, VexGuestAMD64State* state) {
  if (!g_predictor.ret(target)) mispredicted(ip, state);
}

void hm_on_call(uint64_t, uint64_t return_address, VexGuestAMD64State*) { g_predictor.call(return_address); }

void hm_on_clock(uint64_t ip, VexGuestAMD64State* state, Tick now) {
  static uint64_t last_cycles = kFirstTick / 2;
  uint64_t cycles = now / 2 + g_stall_cycles;
  Cause cause;
  cause.ip = ip;
  count(EventId::kClock, cycles - last_cycles, cause, now, state);
  last_cycles = cycles;
}

void hm_on_undecodable(uint64_t ip, uint64_t, VexGuestAMD64State*) {
  call_saving_vectors(tell_undecodable, &ip);
}

}  // extern "C"

}  // namespace hm::soft::vg
