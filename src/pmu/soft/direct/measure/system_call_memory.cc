// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/measure/system_call_memory.h"

#include "pmu/soft/direct/core/program_memory.h"
#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/measure/call_outs.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/sampling/system_call_buffers.h"

namespace hm::soft::direct {
namespace {

constexpr uint64_t kInstructionBytes = 2;

bool follows_calls() {
  return session() != nullptr && session()->system_call_memory != 0 && !g_process.plan.uninstrumented;
}

bool models_buffers(const Core& core) {
  return core.thread->collected && (core.between_bursts || demand_now(core).data);
}

// Takes the samples that are due, with the registers at the call's instruction.
void take_call_samples(Core& core, const Clobbered& before) {
  uint64_t* r = core.context.registers;
  Clobbered after = clobbered_of(core.context);
  const auto set = [&](const Clobbered& values) {
    r[kAx] = values.ax;
    r[kCx] = values.cx;
    r[kR11] = values.r11;
  };
  set(before);
  take_samples(core, core.context.ip - kInstructionBytes);
  set(after);
}

// Each access has a stamp of its own, because the models order lines by their stamps. But it is no slot of
// the thread, takes no time, and does not shorten the burst. Between bursts, all lines of a call have one
// stamp.
void pass_slot(Core& core) {
  constexpr uint64_t kTicks = 2;
  if (core.between_bursts) return;
  core.tick += kTicks;
  core.slice_tick += kTicks;
  core.kernel_ticks += kTicks;
  if (core.next_switch_tick != 0) core.next_switch_tick += kTicks;
  core.model.costs.add_free_slots(1);
}

}  // namespace

void model_call_buffers(Core& core, int64_t result, const Clobbered& before) {
  if (!follows_calls()) return;
  const uint64_t* r = core.context.registers;
  CompletedCall call{before.ax, {r[kDi], r[kSi], r[kDx], r[kR10], r[kR8], r[kR9]}, result};
  const auto model = [&](const CallBuffer& buffer) {
    for_each_line(buffer, g_process.plan.line_bytes, [&](uint64_t address, uint32_t bytes) {
      kernel_access(core, address, AccessInfo::of_kernel(bytes, buffer.written));
      if (core.pending.count != 0) take_call_samples(core, before);
      pass_slot(core);
    });
  };
  bool models = models_buffers(core);
  if (models) visit_call_buffers(call, read_program, BufferVisitor(model));
  CompletedCall done[IoRings::kMaxDone];
  uint32_t count = 0;
  do {
    count = g_process.rings.follow(call, read_program, done);
    for (uint32_t i = 0; models && i < count; ++i)
      visit_call_buffers(done[i], read_program, BufferVisitor(model));
  } while (count == IoRings::kMaxDone);
}

}  // namespace hm::soft::direct
