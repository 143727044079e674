// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/translate/copy.h"

#include <initializer_list>

namespace hm::soft::direct {
namespace {

constexpr uint8_t kFsPrefix = 0x64;
constexpr uint8_t kAddress32Prefix = 0x67;

constexpr uint16_t bit(unsigned reg) { return static_cast<uint16_t>(1u << reg); }

bool is_rip_relative(const Instruction& instruction) {
  bool has_displacement = instruction.displacement_bytes == 4;  // mov to and from cr and dr name a register
  return has_displacement && instruction.modrm_offset != 0 && (instruction.modrm & 0xc7) == 0x05;
}

bool fits32(int64_t value) { return value == static_cast<int32_t>(value); }

// Returns a register that the instruction does not use and that can stand in for r15 in the instruction's
// fields. The register's target value is saved in the core while the instruction runs.
Reg stand_in_for_r15(uint16_t used) {
  for (Reg each : {kR10, kR11, kR8, kR9, kR14}) {
    if ((used & bit(each)) == 0) return each;
  }
  return kR14;  // unreachable: fields name four registers at most
}

// Position of a field's three low bits: the byte, and their shift within it.
struct FieldBits {
  unsigned offset;
  unsigned shift;
  bool inverted;
};

FieldBits bits_of(Field field, const Instruction& instruction) {
  switch (field) {
    case Field::kReg:
      return {instruction.modrm_offset, 3, false};
    case Field::kRm:
      return {instruction.modrm_offset, 0, false};
    case Field::kVvvv: {
      bool two_bytes = instruction.encoding == Encoding::kVex &&
                       instruction.opcode_offset - instruction.prefix_offset == 2;
      return {instruction.prefix_offset + (two_bytes ? 1u : 2u), 3, true};
    }
    case Field::kOpcode:
      return {instruction.opcode_offset, 0, false};
    case Field::kBase:
      return {instruction.sib_offset != 0 ? instruction.sib_offset : instruction.modrm_offset, 0, false};
    case Field::kIndex:
      return {instruction.sib_offset, 3, false};
  }
  return {};
}

// Replaces r15 by `stand_in` in all fields. r15 and its stand-ins have the same fourth bit.
void rename_r15(const Instruction& instruction, uint8_t* copy, Reg stand_in) {
  for (unsigned i = 0; i < kFields; ++i) {
    if (instruction.fields[i].number != kR15) continue;
    FieldBits at = bits_of(static_cast<Field>(i), instruction);
    auto low = static_cast<uint8_t>((at.inverted ? ~stand_in : stand_in) & 7);
    copy[at.offset] = static_cast<uint8_t>((copy[at.offset] & ~(7u << at.shift)) | (low << at.shift));
  }
}

// Returns the fourth bit of a base register's number. A rip-relative operand does not use this bit.
bool base_bit(const Instruction& instruction, const uint8_t* bytes) {
  if (instruction.encoding == Encoding::kLegacy) return (instruction.rex & 1) != 0;
  bool two_bytes =
      instruction.encoding == Encoding::kVex && instruction.opcode_offset - instruction.prefix_offset == 2;
  return !two_bytes && (bytes[instruction.prefix_offset + 1] & 0x20) == 0;
}

// Returns a register to replace rip that the instruction does not use and that has the fourth bit encoded in
// the instruction's prefix.
Reg relative_base(const Instruction& instruction, const uint8_t* bytes, Reg stand_in) {
  uint16_t used = instruction.registers_read | instruction.registers_written | bit(stand_in);
  bool high = base_bit(instruction, bytes);
  for (Reg each : {kAx, kCx, kDx, kBx, kSi, kDi, kR8, kR9, kR14, kR10, kR11}) {
    if ((used & bit(each)) == 0 && (each >= kR8) == high) return each;
  }
  return kNoReg;  // unreachable: no instruction uses this many registers
}

// Copies a rip-relative instruction to another address. If the target is out of reach, the copy addresses it
// through `base`; the function then returns `base`, otherwise kNoReg.
Reg copy_relative(Emitter& out, const Instruction& instruction, const uint8_t* bytes, uint64_t next, Reg base,
                  Enclosure& enclosure) {
  int32_t old = 0;
  __builtin_memcpy(&old, bytes + instruction.displacement_offset, sizeof(old));
  uint64_t target = next + static_cast<int64_t>(old);
  if (instruction.prefix_67) target &= 0xffffffffu;
  const auto displacement_here = [&] {
    return static_cast<int64_t>(target - (reinterpret_cast<uint64_t>(out.here()) + instruction.length));
  };
  if (fits32(displacement_here()) && !instruction.prefix_67) {
    enclosure.before(out);
    int64_t displacement = displacement_here();
    out.bytes(bytes, instruction.displacement_offset);
    out.word32(static_cast<uint32_t>(displacement));
    unsigned behind = instruction.displacement_offset + 4u;
    out.bytes(bytes + behind, instruction.length - behind);
    enclosure.behind(out);
    return kNoReg;
  }
  // Out of reach: the copy uses a register that the instruction does not use.
  out.store(in_core(offsetof(Core, spilled_base)), base);
  out.move(base, target);
  enclosure.before(out);
  for (unsigned i = 0; i < instruction.modrm_offset; ++i) {
    if (bytes[i] != kAddress32Prefix || i >= instruction.prefix_offset) out.byte(bytes[i]);
  }
  out.byte(static_cast<uint8_t>((bytes[instruction.modrm_offset] & 0x38) | (base & 7)));
  unsigned behind = instruction.displacement_offset + 4u;
  out.bytes(bytes + behind, instruction.length - behind);
  enclosure.behind(out);
  out.load(base, in_core(offsetof(Core, spilled_base)));
  return base;
}

}  // namespace

void emit_invalid_opcode(Emitter& out) { out.code(0x0f, 0x0b); }

void emit_register(Emitter& out, Reg to, Reg of) {
  is_reserved(of) ? out.load(to, in_core(saved_register_offset(of))) : out.move(to, of);
}

Operand prepare_operand(Emitter& out, const Access& access) {
  Operand operand{};
  operand.segment = access.segment;
  operand.address32 = access.address32;
  bool far_displacement = !fits32(access.displacement);
  if (access.rip_relative || far_displacement) {
    operand.absolute = true;
    operand.target = static_cast<uint64_t>(access.displacement);
    return operand;
  }
  uint8_t base = access.base, index = access.index;
  if (base != kNoReg && is_reserved(base)) {
    Reg to = base == kR11 || index == kR10 ? kR11 : kR10;
    if (index == base) index = to;
    out.load(to, in_core(saved_register_offset(static_cast<Reg>(base))));
    base = to;
  }
  if (index != kNoReg && index == access.index && is_reserved(index)) {
    Reg to = base == kR10 ? kR11 : kR10;
    out.load(to, in_core(saved_register_offset(static_cast<Reg>(index))));
    index = to;
  }
  operand.memory = {base, index, access.scale == 0 ? uint8_t{1} : access.scale,
                    static_cast<int32_t>(access.displacement), false};
  return operand;
}

void emit_constant(Emitter& out, Reg to, uint64_t value) {
  constexpr unsigned kLeaBytes = 7;
  int64_t displacement = static_cast<int64_t>(value - (reinterpret_cast<uint64_t>(out.here()) + kLeaBytes));
  if (value >> 32 == 0 || !fits32(displacement)) {
    out.move(to, value);
    return;
  }
  out.code(to >= kR8 ? 0x4c : 0x48, 0x8d, 0x05 | (to & 7) << 3);  // lea to, [rip + displacement]
  out.word32(static_cast<uint32_t>(displacement));
}

void emit_address(Emitter& out, Reg to, const Operand& operand) {
  if (operand.absolute) {
    emit_constant(out, to, operand.target);
  } else {
    if (operand.address32) out.byte(kAddress32Prefix);
    out.address(to, operand.memory);
  }
  if (operand.segment == Segment::kFs) out.add(to, in_core(offsetof(Core, context.fs_base)));
}

void emit_load(Emitter& out, Reg to, const Operand& operand) {
  Operand place = operand;
  if (operand.absolute) {
    emit_constant(out, to, operand.target);
    place.memory = {static_cast<uint8_t>(to), kNoReg, 1, 0, false};
  }
  if (operand.segment == Segment::kFs) out.byte(kFsPrefix);
  if (operand.address32) out.byte(kAddress32Prefix);
  out.load(to, place.memory);
}

bool leaves_scratch_alone(const Instruction& instruction) {
  constexpr uint16_t kAtHome = bit(kR10) | bit(kR11) | bit(kR15);
  return ((instruction.registers_read | instruction.registers_written) & kAtHome) == 0;
}

Spills copy_instruction(Emitter& out, const Step& step, Enclosure& enclosure) {
  const Instruction& instruction = step.instruction;
  const auto* bytes = reinterpret_cast<const uint8_t*>(step.address);
  uint16_t used = instruction.registers_read | instruction.registers_written;
  if (leaves_scratch_alone(instruction) && !is_rip_relative(instruction)) {
    enclosure.before(out);
    out.bytes(bytes, instruction.length);
    enclosure.behind(out);
    return {};
  }
  Reg stand_in = (used & bit(kR15)) != 0 ? stand_in_for_r15(used) : kR15;
  bool spills = stand_in == kR8 || stand_in == kR9 || stand_in == kR14;
  Spills spilled{spills ? stand_in : kNoReg, kNoReg};
  if (spills) out.store(in_core(offsetof(Core, spilled)), stand_in);
  const auto register_for = [&](Reg reg) { return reg == kR15 ? stand_in : reg; };
  for (Reg each : {kR10, kR11, kR15}) {
    if ((instruction.registers_read & bit(each)) != 0)
      out.load(register_for(each), in_core(saved_register_offset(each)));
  }
  uint8_t copy[16];
  __builtin_memcpy(copy, bytes, instruction.length);
  if (stand_in != kR15) rename_r15(instruction, copy, stand_in);
  if (is_rip_relative(instruction)) {
    spilled.base = copy_relative(out, instruction, copy, step.next(),
                                 relative_base(instruction, bytes, stand_in), enclosure);
  } else {
    enclosure.before(out);
    out.bytes(copy, instruction.length);
    enclosure.behind(out);
  }
  for (Reg each : {kR10, kR11, kR15}) {
    if ((instruction.registers_written & bit(each)) != 0)
      out.store(in_core(saved_register_offset(each)), register_for(each));
  }
  if (spills) out.load(stand_in, in_core(offsetof(Core, spilled)));
  return spilled;
}

}  // namespace hm::soft::direct
