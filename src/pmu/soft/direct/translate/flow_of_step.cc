// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/translate/flow_of_step.h"

#include <initializer_list>

namespace hm::soft::direct {
namespace {

using model::FlowInstruction;
using model::Registers;
using model::Unit;

struct Timing {
  uint8_t latency;
  uint8_t busy;
  Unit unit;
};

// In cycles, rounded, of AMD's Zen 3 to 5 and Intel's Golden Cove (uops.info; Fog, "Instruction tables",
// 2025), which differ by a cycle or two, in divisions by a factor of up to two. Indexed by Operation.
constexpr Timing kTimings[kOperations] = {
    {1, 1, Unit::kInteger},         // kSimple
    {0, 1, Unit::kNone},            // kMove
    {0, 1, Unit::kNone},            // kNothing
    {3, 2, Unit::kInteger},         // kMultiply
    {10, 5, Unit::kDivider},        // kDivide
    {14, 7, Unit::kDivider},        // kDivideLong
    {1, 1, Unit::kVector},          // kVectorSimple
    {3, 2, Unit::kVector},          // kVectorMultiply
    {3, 2, Unit::kVector},          // kFloatAdd
    {3, 2, Unit::kVector},          // kFloatMultiply
    {4, 2, Unit::kVector},          // kFloatFused
    {13, 5, Unit::kVectorDivider},  // kFloatDivide
    {19, 8, Unit::kVectorDivider},  // kFloatRoot
    {5, 2, Unit::kVector},          // kConvert
    {3, 2, Unit::kVector},          // kToGeneral
    {3, 2, Unit::kVector},          // kFromGeneral
    {5, 2, Unit::kVector},          // kX87
    {30, 4, Unit::kInteger},        // kSlow
    {100, 4, Unit::kInteger},       // kVerySlow
};
constexpr uint8_t kLockedLatency = 18;
constexpr uint8_t kRepeatedLatency = 20;  // the start of a repeated string instruction

constexpr uint64_t register_bit(unsigned number) { return uint64_t{1} << number; }
constexpr uint8_t kRsp = 4;

bool uses_stack_pointer_implicitly(const Instruction& instruction) {
  for (unsigned i = 0; i < instruction.access_count; ++i) {
    AccessKind kind = instruction.accesses[i].kind;
    if (kind == AccessKind::kPush || kind == AccessKind::kPop) return true;
  }
  return false;
}

void add_access(const Access& access, FlowInstruction& flow) {
  if (access.stores) flow.stores += access.count;
  if (!access.loads) return;
  flow.loads += access.count;
  if (access.base != kNoRegister) flow.address |= register_bit(access.base);
  bool general_index = access.index != kNoRegister && access.index_bytes == 0;
  if (general_index) flow.address |= register_bit(access.index);
}

// Registers that are read only for an address are no operands: a load does not wait twice.
uint64_t operands_of(const Instruction& instruction) {
  uint64_t operands = instruction.registers_read;
  for (Field field : {Field::kBase, Field::kIndex}) {
    const RegisterField& address = instruction.field(field);
    if (address.number == kNoRegister || instruction.access_count == 0) continue;
    bool named_again = false;
    for (Field other : {Field::kReg, Field::kRm, Field::kVvvv, Field::kOpcode})
      named_again |= instruction.field(other).number == address.number && instruction.field(other).read;
    if (!named_again && (instruction.registers_fixed >> address.number & 1) == 0)
      operands &= ~register_bit(address.number);
  }
  return operands;
}

// Returns true for cmp, test, add, sub, and, inc, dec, which processors fuse with a conditional jump behind.
bool fuses(const Instruction& instruction) {
  if (instruction.encoding != Encoding::kLegacy || instruction.map != 0) return false;
  constexpr unsigned kAddAndSubCmp = 1u << 0 | 1u << 4 | 1u << 5 | 1u << 7;
  unsigned opcode = instruction.opcode, extension = instruction.modrm >> 3 & 7;
  bool plain = opcode < 0x40 && (opcode & 7) < 6 && (kAddAndSubCmp >> (opcode >> 3) & 1) != 0;
  bool by_immediate =
      (opcode == 0x80 || opcode == 0x81 || opcode == 0x83) && (kAddAndSubCmp >> extension & 1) != 0;
  bool tests = opcode == 0x84 || opcode == 0x85 || opcode == 0xa8 || opcode == 0xa9 ||
               ((opcode == 0xf6 || opcode == 0xf7) && extension < 2);
  bool counts = (opcode == 0xfe || opcode == 0xff) && extension < 2;
  return plain || by_immediate || tests || counts;
}

}  // namespace

FlowInstruction flow_of(const Instruction& instruction, const Instruction* before) {
  const Timing& timing = kTimings[static_cast<unsigned>(instruction.operation)];
  FlowInstruction flow;
  flow.latency = timing.latency;
  flow.busy = timing.busy;
  flow.unit = timing.unit;
  for (unsigned i = 0; i < instruction.access_count; ++i) {
    add_access(instruction.accesses[i], flow);
    if (!instruction.accesses[i].locked) continue;
    flow.latency = kLockedLatency;
    flow.serializes = true;
  }
  if (instruction.operation == Operation::kSlow || instruction.operation == Operation::kVerySlow)
    flow.serializes = true;
  if (instruction.repeat != Repeat::kNone && instruction.string_operation != StringOperation::kNone) {
    flow.loads = flow.stores = 0;
    flow.latency = kRepeatedLatency;
  }
  flow.to_vector = instruction.vectors_written != 0;
  flow.reads = operands_of(instruction) | uint64_t{instruction.vectors_read} << Registers::kVectors;
  flow.writes = instruction.registers_written | uint64_t{instruction.vectors_written} << Registers::kVectors;
  if ((instruction.flags_read & kStatusFlags) != 0) flow.reads |= register_bit(Registers::kFlags);
  if ((instruction.flags_written & kStatusFlags) != 0) flow.writes |= register_bit(Registers::kFlags);
  if (instruction.kind.simd == SimdClass::kX87) {
    flow.reads |= register_bit(Registers::kX87);
    flow.writes |= register_bit(Registers::kX87);
  }
  // The front end follows the stack pointer through pushes and pops.
  if (uses_stack_pointer_implicitly(instruction)) {
    for (uint64_t* set : {&flow.reads, &flow.address, &flow.writes}) *set &= ~register_bit(kRsp);
  }
  if (instruction.gives_zero) {
    flow.reads = 0;
    flow.latency = 0;
    flow.unit = Unit::kNone;
  }
  bool jumps = instruction.flow != Flow::kNone;
  if (jumps) flow.latency = flow.latency > 1 ? 1 : flow.latency;
  flow.fused = instruction.flow == Flow::kConditionalJump && before != nullptr && fuses(*before);
  if (flow.fused) flow.unit = Unit::kNone;
  return flow;
}

}  // namespace hm::soft::direct
