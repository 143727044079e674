// SPDX-License-Identifier: MIT
// Call-outs: functions that copied code calls if a filter does not let an access pass or an event counter has
// reached its end. A nonzero result means that samples are due.
#include "pmu/soft/direct/measure/call_outs.h"

#include "pmu/soft/direct/core/core_offsets.h"
#include "pmu/soft/direct/core/program_memory.h"
#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/core/touch_parts.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/sampling/accounting.h"

namespace hm::soft::direct {
namespace {

// Samples wait until the target's registers have been saved. Their instruction is looked up then.
class Running {
 public:
  explicit Running(Core& core, uint64_t site = 0) : core_(core), site_(site) {}
  [[nodiscard]] ModelledCore& core() const { return core_.model; }
  [[nodiscard]] Counters& counters() const { return core_.thread->counters; }
  [[nodiscard]] static uint64_t ip() { return 0; }
  [[nodiscard]] uint64_t site() const { return site_; }
  [[nodiscard]] const AddressSources* address_sources() const {
    return g_process.address_sources.find(site_);
  }
  [[nodiscard]] static bool read(uint64_t address, uint64_t* words) {
    return read_program(address, words, kWordsOfLine * sizeof(*words));
  }
  void sample(EventId id, const Cause& cause, Tick now) const {
    PendingSamples& pending = core_.pending;
    if (pending.count < kEventCount) pending.samples[pending.count++] = {id, now, cause};
  }

 private:
  Core& core_;
  uint64_t site_;
};

// The check that copied code makes inline (translator_checks.cc). An access that passes needs no further
// modelling.
bool passes(Core& core, uint64_t address, AccessInfo info, Tick now) {
  uint64_t hint = address >> g_process.plan.line_shift & ((1u << g_process.plan.hint_bits) - 1);
  char* place = reinterpret_cast<char*>(&core) + core.filters.hints[hint];
  auto& load = *reinterpret_cast<model::DataPlace*>(place);
  uint64_t passing =
      info.writes() ? reinterpret_cast<model::StorePlace*>(place + kStorePlaces)->passing : load.passing;
  if (info.bytes() > g_process.plan.line_bytes ||
      address - passing > g_process.plan.line_bytes - info.bytes())
    return false;
  load.stamp = now;
  return true;
}

// Records an access as touching copies do. An access outside the user's address range is going to fault.
void touch(Core& core, uint64_t address, uint32_t bytes) {
  if (address >> kUserAddressBits != 0) return;
  TouchStamp* table = touch_table(core);
  unsigned shift = g_process.plan.line_shift;
  for (uint64_t line = address >> shift; line <= (address + bytes - 1) >> shift; ++line) {
    if (!open_touch_part(core, reinterpret_cast<uint64_t>(table + line))) return;
    table[line] = static_cast<TouchStamp>(core.tick);
  }
}

// If the core has run its window while it waited for memory, makes it leave the copied code at the next loop
// (schedule/pace.h).
void look_at_window(Core& core, Tick now) {
  if (core.model.cycles_at(now) >= core.window_end) core.switch_tick = 0;
}

AccessInfo info_of(uint32_t what) { return AccessInfo::unpack(what & ((1u << ACCESS_BITS) - 1)); }

Accounting<Running> accounting(Core& core) { return Accounting(Running(core)); }

}  // namespace
}  // namespace hm::soft::direct

using namespace hm::soft;
using namespace hm::soft::direct;

extern "C" {

uint32_t hm_on_data(Core* core, uint64_t address, uint64_t tick, uint32_t what, uint64_t site) {
  Accounting(Running(*core, site)).on_data(address, info_of(what), tick);
  if (g_process.plan.keeps_pace) look_at_window(*core, tick);
  return core->pending.count;
}

uint32_t hm_on_fetch(Core* core, uint64_t page_offset, uint64_t tick, uint32_t line) {
  accounting(*core).on_fetch(line, code_page_at(*core, page_offset), tick);
  if (g_process.plan.keeps_pace) look_at_window(*core, tick);
  return core->pending.count;
}

uint32_t hm_on_overflow(Core* core, uint64_t, uint64_t tick, uint32_t what) {
  uint32_t event = what & ((1u << ACCESS_BITS) - 1);
  accounting(*core).on_overflow(static_cast<EventId>(event), 0, tick);
  return core->pending.count;
}

uint32_t hm_on_memory(Core* core, uint64_t address, uint64_t tick, uint32_t what) {
  accounting(*core).on_memory_overflow(address, info_of(what), tick);
  return core->pending.count;
}

uint32_t hm_on_store_buffer(Core* core, uint64_t address, uint64_t tick, uint32_t what) {
  AccessInfo info = info_of(what);
  auto account = accounting(*core);
  info.kind() == hm::record::AccessKind::kStore ? account.on_buffer_store(address, info, tick)
                                                : account.on_buffer_load(address, info, tick);
  return core->pending.count;
}

uint32_t hm_on_sizes(Core* core, uint64_t address, uint64_t, uint32_t what) {
  accounting(*core).on_size(address, info_of(what));
  return core->pending.count;
}

uint32_t hm_on_branch(Core* core, uint64_t ip, uint64_t tick, uint32_t what) {
  auto account = accounting(*core);
  auto kind = static_cast<BranchKind>(what & ((1u << BRANCH_TAKEN_SHIFT) - 1));
  bool taken = (what >> BRANCH_TAKEN_SHIFT & 1) != 0;
  uint64_t return_address = ip + (what >> BRANCH_LENGTH_SHIFT & 0xf), target = core->context.ip;
  if (kind == BranchKind::kConditional) account.on_conditional(ip, taken, tick);
  if (kind == BranchKind::kReturn) account.on_return(ip, target, tick);
  if (kind == BranchKind::kIndirectJump || kind == BranchKind::kIndirectCall)
    account.on_indirect(ip, target, tick);
  if (kind == BranchKind::kIndirectCall) account.on_call(return_address);
  if (g_process.plan.keeps_pace) look_at_window(*core, tick);
  return core->pending.count;
}

uint32_t hm_on_clock(Core* core, uint64_t ip, uint64_t tick, uint32_t) {
  accounting(*core).on_clock(ip, tick);
  return core->pending.count;
}

// Handles a `pause` instruction: the program waits for another thread or process.
uint32_t hm_on_pause(Core* core, uint64_t, uint64_t, uint32_t) {
  core->model.machine.apply_invalidations();
  return core->pending.count;
}

void hm_on_heap(Core* core, uint64_t address, uint32_t what) { g_process.heap.on_call(*core, address, what); }

}  // extern "C"

namespace hm::soft::direct {

const Demand& demand_now(const Core& core) {
  static constexpr Demand kNone{};
  if (core.between_bursts) return kNone;
  return g_process.copies.demand_of(core.sampling ? Mode::kSampling : Mode::kCollecting);
}

void whole_access(Core& core, uint64_t address, AccessInfo info, Tick now, uint64_t site) {
  if (core.between_bursts) return touch(core, address, info.bytes());
  const Demand& demand = demand_now(core);
  if (demand.data && !passes(core, address, info, now)) hm_on_data(&core, address, now, info.pack(), site);
  if (demand.store_buffer) hm_on_store_buffer(&core, address, now, info.pack());
  if (demand.sizes) accounting(core).on_size(address, info);
  if (!demand.memory) return;
  Counters& counters = core.thread->counters;
  bool is_store = info.kind() == record::AccessKind::kStore;
  bool own = counters.add(is_store ? EventId::kMemoryStores : EventId::kMemoryLoads, 1);
  bool all = counters.add(EventId::kMemoryMoves, 1);
  if (own || all) hm_on_memory(&core, address, now, info.pack());
}

void kernel_access(Core& core, uint64_t address, AccessInfo info) {
  if (core.between_bursts) return touch(core, address, info.bytes());
  auto account = accounting(core);
  if (!passes(core, address, info, core.tick)) account.on_kernel_data(address, info, core.tick);
  if (demand_now(core).sizes) account.on_size(address, info);
}

void count_events(Core& core, EventId id, uint64_t events, Tick now) {
  if (core.thread->counters.add(id, events)) accounting(core).on_overflow(id, 0, now);
}

}  // namespace hm::soft::direct
