// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/target_state.h"

#include "pmu/soft/direct/core/switch.h"
#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/decode/instruction.h"
#include "pmu/soft/direct/measure/strings.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/sampling/read_memory.h"

namespace hm::soft::direct {

namespace {

constexpr size_t kLongestInstruction = 15;

// Decodes the instruction at `ip` from a copy in `bytes`: its page may have become unreadable.
bool decode_at(uint64_t ip, uint8_t (&bytes)[kLongestInstruction], Instruction& instruction) {
  return decode(bytes, read_memory(ip, bytes, sizeof(bytes)), ip, instruction);
}

}  // namespace

bool in_copied_code(uint64_t ip) {
  return g_process.copies.is_copied_code(reinterpret_cast<const uint8_t*>(ip));
}

Interrupted look_up(const SignalContext& registers) {
  Interrupted at{};
  const auto* code = reinterpret_cast<const uint8_t*>(registers.ip);
  const Block* block = g_process.copies.block_of_code(code);
  if (block == nullptr || block->step_count == 0) return at;
  bool hot = code >= block->code && code < block->code + block->hot_bytes;
  auto offset = static_cast<uint32_t>(code - (hot ? block->code : block->cold));
  uint32_t i = 0;
  while (i + 1 < block->step_count && (hot ? block->steps[i + 1].hot : block->steps[i + 1].cold) <= offset)
    ++i;
  const StepMap& step = block->steps[i];
  at.known = true;
  at.source = step.source;
  at.ticks = step.ticks;
  at.loads = step.loads;
  at.stores = step.stores;
  bool in_instruction = hot && offset >= step.spills.from;
  if (in_instruction) at.spills = step.spills;
  bool has_spills = step.spills.stand_in != kNoReg || step.spills.base != kNoReg;
  at.before_instruction = in_instruction && !has_spills && offset == step.spills.from;
  // A copy that was dropped is left as soon as possible, without the stamp of a group.
  at.whole =
      hot && (!step.in_group || block->dropped) && (step.hot == offset || (i == 0 && block->body == offset));
  Instruction instruction;
  uint8_t source[kLongestInstruction] = {};
  bool repeats = hot && !at.whole && decode_at(step.source, source, instruction) &&
                 instruction.repeat != Repeat::kNone &&
                 instruction.string_operation != StringOperation::kNone;
  at.in_string = repeats && __builtin_memcmp(code, source, instruction.length) == 0;
  return at;
}

namespace {

// Takes all registers except the reserved ones.
void take_registers(Context& context, const SignalContext& from) {
  uint64_t* r = context.registers;
  r[kAx] = from.ax, r[kCx] = from.cx, r[kDx] = from.dx, r[kBx] = from.bx;
  r[kSp] = from.sp, r[kBp] = from.bp, r[kSi] = from.si, r[kDi] = from.di;
  r[kR8] = from.r8, r[kR9] = from.r9, r[kR12] = from.r12, r[kR13] = from.r13, r[kR14] = from.r14;
  context.flags = from.flags;
}

}  // namespace

void settle_interrupted(Core& core, const Interrupted& at, const SignalContext& registers) {
  core.tick = registers.r15 + at.ticks;
  core.loads += at.loads;
  core.stores += at.stores;
  core.context.ip = at.source;
  if (!at.in_string) return;
  take_registers(core.context, registers);
  model_string(core, true);
}

void pass_instruction(Core& core) {
  Instruction instruction;
  uint8_t source[kLongestInstruction];
  if (!decode_at(core.context.ip, source, instruction)) return;
  core.context.ip += instruction.length;
  core.tick += 2;
}

void restore_spills(const Core& core, const Interrupted& at, SignalContext& registers) {
  const auto restore = [&](Reg reg, uint64_t value) {
    switch (reg) {
      case kAx:
        return void(registers.ax = value);
      case kCx:
        return void(registers.cx = value);
      case kDx:
        return void(registers.dx = value);
      case kBx:
        return void(registers.bx = value);
      case kSi:
        return void(registers.si = value);
      case kDi:
        return void(registers.di = value);
      case kR8:
        return void(registers.r8 = value);
      case kR9:
        return void(registers.r9 = value);
      case kR14:
        return void(registers.r14 = value);
      default:
        return;  // none, or a reserved register
    }
  };
  restore(at.spills.stand_in, core.spilled);
  restore(at.spills.base, core.spilled_base);
}

void show_target(const Core& core, SignalContext& registers) {
  registers.r10 = core.context.registers[kR10];
  registers.r11 = core.context.registers[kR11];
  registers.r15 = core.context.registers[kR15];
  registers.ip = core.context.ip;
  registers.flags &= ~kTrapFlag;
  if (core.thread->signals.trap_flag) registers.flags |= kTrapFlag;
}

void hide_target(Core& core, SignalContext& registers) {
  core.context.registers[kR10] = registers.r10;
  core.context.registers[kR11] = registers.r11;
  core.context.registers[kR15] = registers.r15;
  core.context.ip = registers.ip;
  registers.flags &= ~kTrapFlag;
  registers.r10 = kExitElsewhere;
  registers.r15 = core.tick;
  registers.ip = reinterpret_cast<uint64_t>(hm_leave);
}

}  // namespace hm::soft::direct
