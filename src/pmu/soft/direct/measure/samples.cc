// SPDX-License-Identifier: MIT
// Writes the samples that are due, with the target's register values before the instruction.
#include "pmu/soft/direct/core/target_registers.h"
#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/decode/instruction.h"
#include "pmu/soft/direct/measure/call_chain.h"
#include "pmu/soft/direct/measure/call_outs.h"
#include "pmu/soft/direct/process/process.h"

namespace hm::soft::direct {

namespace {

// The instruction that a check belongs to.
struct CheckedInstruction {
  uint64_t ip;
  bool flags_saved;
};

// Returns the instruction that contains the check with return address `code`.
CheckedInstruction instruction_of_check(const uint8_t* code) {
  Guard guard(g_process.copies.lock());
  const Block* block = g_process.copies.cache().block_of_code(code);
  if (block == nullptr) return {};
  bool hot = code >= block->code && code < block->code + block->hot_bytes;
  auto offset = static_cast<uint32_t>(code - (hot ? block->code : block->cold));
  CheckedInstruction instruction{block->source, false};
  for (uint32_t i = 0; i < block->step_count; ++i) {
    const StepMap& step = block->steps[i];
    // The call's return address is behind the first byte of its step.
    if ((hot ? step.hot : step.cold) >= offset) break;
    instruction = {step.source, step.flags_saved};
  }
  return instruction;
}

void write_sample(Core& core, const PendingSample& due, uint64_t ip) {
  Thread& thread = *core.thread;
  uint64_t period = thread.counters.finish_period(due.id);
  if (ring() == nullptr || session()->stop != 0) return;
  if (!core.counts_all) period *= scale_of(session()->bursts);
  Cause cause = due.cause;
  cause.ip = ip;
  Moment moment;
  HeapBlock block;
  if (has_data_address(cause) && g_process.heap.find_block(thread, cause.address, block))
    moment.heap_block = &block;
  moment.pid = thread.pid;
  moment.tid = thread.tid;
  moment.time_ns = monotonic_ns();
  moment.run_cycles = core.model.run_cycles_at(due.now);
  moment.registers = registers_of(core, ip);
  uint64_t chain[kMaxCallChain];
  if (uint32_t depth = session()->call_chain_depth) {
    moment.call_chain = chain;
    moment.call_chain_length = walk_frames(core.context, ip, depth, chain);
  }
  if (session()->branch_filter != 0) g_process.branch_sites.read(core.branches, core.model.branches);
  moment.branches = &core.model.branches;
  if (core.model.reports_tlb(core.model.cycles_at(due.now), session()->tlb_cycles))
    moment.tlb = &core.model.machine;
  if (has_data_address(cause)) moment.physical_address = core.model.machine.physical_address(cause.address);
  g_process.recording.write(sample_record(*session(), thread.counters.id(due.id), period, cause, moment));
}

}  // namespace

void take_samples(Core& core, uint64_t ip) {
  bool records = core.pending.count != 0 && ring() != nullptr && session()->stop == 0;
  if (records && session()->stack_bytes != 0) send_stack(*core.thread, core.context.registers[kSp]);
  for (uint32_t i = 0; i < core.pending.count; ++i) write_sample(core, core.pending.samples[i], ip);
  core.pending.count = 0;
}

// Restores the flags that lahf and seto saved in ah and al.
void restore_saved_flags(Core& core) {
  constexpr uint64_t kOfLahf = kStatusFlags & 0xff;
  constexpr unsigned kOverflowBit = 11;
  uint64_t saved = core.saved_flags;
  uint64_t status = (saved >> 8 & kOfLahf) | (saved & 1) << kOverflowBit;
  core.context.flags = (core.context.flags & ~uint64_t{kStatusFlags}) | status;
}

}  // namespace hm::soft::direct

// Status flags that no instruction is going to read have not been saved. The sample then has the last known
// flags.
extern "C" void hm_take_samples(hm::soft::direct::Core* core, const uint8_t* return_address) {
  using namespace hm::soft::direct;
  CheckedInstruction instruction = instruction_of_check(return_address);
  if (instruction.flags_saved) restore_saved_flags(*core);
  take_samples(*core, instruction.ip);
}
