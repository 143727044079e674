// SPDX-License-Identifier: GPL-2.0-or-later
#include "sampling.h"

#include "call_outs.h"
#include "core_model.h"
#include "heap.h"
#include "session_link.h"
#include "threads.h"

namespace hm::soft::vg {

Registers read_registers(VexGuestAMD64State* state, uint64_t ip) {
  Registers r;
  r.ax = state->guest_RAX;
  r.bx = state->guest_RBX;
  r.cx = state->guest_RCX;
  r.dx = state->guest_RDX;
  r.si = state->guest_RSI;
  r.di = state->guest_RDI;
  r.bp = state->guest_RBP;
  r.sp = state->guest_RSP;
  r.ip = ip;
  r.flags = LibVEX_GuestAMD64_get_rflags(state);
  r.r8 = state->guest_R8;
  r.r9 = state->guest_R9;
  r.r10 = state->guest_R10;
  r.r11 = state->guest_R11;
  r.r12 = state->guest_R12;
  r.r13 = state->guest_R13;
  r.r14 = state->guest_R14;
  r.r15 = state->guest_R15;
  return r;
}

namespace {

bool is_code(Addr address) {
  const NSegment* segment = VG_(am_find_nsegment)(address);
  return segment != nullptr && segment->hasX;
}

// Returns the number of return addresses in `chain`, with the sampled ip first. Valgrind reports a call's
// address as one byte before the return address. If code has no unwind information, for example the dynamic
// linker's first instructions, the unwinder continues into the environment's strings. The chain ends at the
// first address that is no code.
uint32_t unwind(ThreadId tid, uint64_t ip, uint32_t depth, uint64_t* chain) {
  static Addr frames[kMaxCallChain];
  UInt found =
      VG_(get_StackTrace)(tid, frames, depth < kMaxCallChain ? depth : kMaxCallChain, nullptr, nullptr, 0);
  chain[0] = ip;
  UInt length = 1;
  for (; length < found && is_code(frames[length]); ++length) chain[length] = frames[length] + 1;
  return length;
}

struct DueSample {
  EventId id;
  const Cause& cause;
  Tick now;
  VexGuestAMD64State* state;
};

void write_sample(DueSample* due) {
  auto& [id, cause, now, state] = *due;
  uint64_t period = g_counters.finish_period(id);
  if (ring() == nullptr || session()->stop != 0) return;
  ThreadId tid = VG_(get_running_tid)();
  Moment moment;
  HeapBlock block;
  if (has_data_address(cause) && find_heap_block(cause.address, block)) moment.heap_block = &block;
  moment.pid = static_cast<uint32_t>(VG_(getpid)());
  moment.tid = kernel_tid(tid);
  moment.time_ns = monotonic_ns();
  moment.run_cycles = g_core.run_cycles_at(now);
  moment.registers = read_registers(state, cause.ip);
  static uint64_t chain[kMaxCallChain];
  if (uint32_t depth = session()->call_chain_depth) {
    moment.call_chain = chain;
    moment.call_chain_length = unwind(tid, cause.ip, depth, chain);
  }
  moment.branches = &g_core.branches;
  if (g_core.reports_tlb(g_core.cycles_at(now), session()->tlb_cycles)) moment.tlb = &g_core.machine;
  if (has_data_address(cause)) moment.physical_address = g_core.machine.physical_address(cause.address);
  sample_record(*session(), g_counters.id(id), period, cause, moment).write_to(*ring());
}

}  // namespace

void sample(EventId id, const Cause& cause, Tick now, VexGuestAMD64State* state) {
  DueSample due{id, cause, now, state};
  call_saving_vectors(write_sample, &due);
}

}  // namespace hm::soft::vg
