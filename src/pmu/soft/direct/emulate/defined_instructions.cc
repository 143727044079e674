// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/defined_instructions.h"

#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/decode/instruction.h"
#include "pmu/soft/direct/emulate/defined_machine.h"
#include "pmu/soft/direct/measure/call_outs.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/translate/superblock.h"

namespace hm::soft::direct {
namespace {

constexpr size_t kLongestInstruction = 15;

// Sets the lower half of the register and clears the upper half.
void set32(Core& core, Reg reg, uint32_t value) { core.context.registers[reg] = value; }

void answer_cpuid(Core& core) {
  auto leaf = static_cast<uint32_t>(core.context.registers[kAx]);
  auto subleaf = static_cast<uint32_t>(core.context.registers[kCx]);
  CpuidLeaf found{};
  for (uint32_t i = 0; i < defined_machine().leaf_count; ++i) {
    const CpuidLeaf& each = defined_machine().leaves[i];
    if (each.leaf == leaf && (each.subleaf == kAnySubleaf || each.subleaf == subleaf)) found = each;
  }
  set32(core, kAx, found.a);
  set32(core, kBx, found.b);
  set32(core, kCx, found.c);
  set32(core, kDx, found.d);
}

void set_pair(Core& core, uint64_t value) {
  set32(core, kAx, static_cast<uint32_t>(value));
  set32(core, kDx, static_cast<uint32_t>(value >> 32));
}

// As an instruction with this operand size does.
void set_operand(Core& core, const Instruction& instruction, uint64_t value) {
  constexpr uint8_t kWide = 8;
  uint64_t& reg = core.context.registers[instruction.field(Field::kRm).number];
  if ((instruction.rex & kWide) != 0)
    reg = value;
  else if (instruction.prefix_66)
    reg = (reg & ~uint64_t{0xffff}) | (value & 0xffff);
  else
    reg = static_cast<uint32_t>(value);
}

void answer_random(Core& core, const Instruction& instruction) {
  set_operand(core, instruction, g_process.defined.random());
  core.context.flags = (core.context.flags & ~uint64_t{kStatusFlags}) | kCarryFlag;
}

void answer(Core& core, const Instruction& instruction) {
  switch (machine_query(instruction)) {
    case MachineQuery::kCpuid:
      return answer_cpuid(core);
    case MachineQuery::kStateComponents:
      return set_pair(core, defined_machine().xcr0);
    case MachineQuery::kTime:
      return set_pair(core, defined_ns(core));
    case MachineQuery::kTimeAndCpu:
      set32(core, kCx, 0);
      return set_pair(core, defined_ns(core));
    case MachineQuery::kRandom:
      return answer_random(core, instruction);
    case MachineQuery::kCpuNumber:
      core.context.registers[instruction.field(Field::kRm).number] = 0;
      return;
    case MachineQuery::kNone:
      return;
  }
}

}  // namespace

void run_defined_instruction(Core& core) {
  uint64_t ip = core.context.ip;
  Instruction instruction;
  if (!decode(reinterpret_cast<const uint8_t*>(ip), kLongestInstruction, ip, instruction)) return;
  if (core.thread->collected) core.tick += 2;
  const Demand& demand = demand_now(core);
  if (demand.instructions && core.thread->collected) count_events(core, EventId::kInstrRetired, 1, core.tick);
  if (demand.uops && core.thread->collected) count_events(core, EventId::kUopRetired, 1, core.tick);
  take_samples(core, ip);
  answer(core, instruction);
  core.context.ip = ip + instruction.length;
}

}  // namespace hm::soft::direct
