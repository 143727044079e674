// SPDX-License-Identifier: MIT
// Writes the samples that are due, with the target's registers as they were before the instruction.
#include "pmu/soft/direct/call_outs.h"
#include "pmu/soft/direct/engine.h"
#include "pmu/soft/direct/thread.h"

namespace hm::soft::direct {
namespace {

Registers registers_of(const Core& core, uint64_t ip) {
  const uint64_t* r = core.context.registers;
  return {.ax = r[kAx],
          .bx = r[kBx],
          .cx = r[kCx],
          .dx = r[kDx],
          .si = r[kSi],
          .di = r[kDi],
          .bp = r[kBp],
          .sp = r[kSp],
          .ip = ip,
          .flags = core.context.flags,
          .r8 = r[kR8],
          .r9 = r[kR9],
          .r10 = r[kR10],
          .r11 = r[kR11],
          .r12 = r[kR12],
          .r13 = r[kR13],
          .r14 = r[kR14],
          .r15 = r[kR15]};
}

// The instruction for which a call was made that returns to `code`.
uint64_t ip_of_call(const uint8_t* code) {
  const Block* block = block_of_code(code);
  if (block == nullptr) return 0;
  bool hot = code >= block->code && code < block->code + block->hot_bytes;
  auto offset = static_cast<uint32_t>(code - (hot ? block->code : block->cold));
  uint64_t ip = block->source;
  for (uint32_t i = 0; i < block->step_count; ++i) {
    // The call's return address is behind its step's first byte.
    if ((hot ? block->steps[i].hot : block->steps[i].cold) >= offset) break;
    ip = block->steps[i].source;
  }
  return ip;
}

void write_sample(Core& core, const PendingSample& due, uint64_t ip) {
  Thread& thread = *core.thread;
  uint64_t period = thread.counters.finish_period(due.id);
  if (ring() == nullptr || session()->stop != 0) return;
  Cause cause = due.cause;
  cause.ip = ip;
  Moment moment;
  moment.pid = thread.pid;
  moment.tid = thread.tid;
  moment.time_ns = monotonic_ns();
  moment.virtual_cycles =
      (thread.totals == nullptr ? 0 : thread.totals->cycles) + thread.turn.cycles(core.model, due.now);
  moment.registers = registers_of(core, ip);
  uint64_t chain[1] = {ip};
  moment.call_chain = chain;
  moment.call_chain_length = 1;
  moment.branches = &core.model.branches;
  write_record(sample_record(*session(), thread.counters.id(due.id), period, cause, moment));
}

}  // namespace
}  // namespace hm::soft::direct

extern "C" void hm_take_samples(hm::soft::direct::Core* core, const uint8_t* return_address) {
  using namespace hm::soft::direct;
  uint64_t ip = ip_of_call(return_address);
  for (uint32_t i = 0; i < core->pending.count; ++i) write_sample(*core, core->pending.samples[i], ip);
  core->pending.count = 0;
}
