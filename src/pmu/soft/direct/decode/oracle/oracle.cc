// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/decode/oracle/oracle.h"

#include <algorithm>
#include <vector>

namespace hm::soft::direct {
namespace {

// Zydis's attributes contain a prefix only if it has an effect, so this function reads the bytes.
void describe_prefixes(const ZydisDecodedInstruction& instruction, Instruction& out) {
  for (unsigned i = 0; i < instruction.raw.prefix_count; ++i) {
    uint8_t byte = instruction.raw.prefixes[i].value;
    if (byte == 0x66) out.prefix_66 = true;
    if (byte == 0x67) out.prefix_67 = true;
    if (byte == 0xf0) out.prefix_lock = true;
    if (byte == 0x64) out.segment = Segment::kFs;
    if (byte == 0x65) out.segment = Segment::kGs;
    if (byte == 0xf2 || byte == 0xf3) {
      out.prefix_f2 = byte == 0xf2;
      out.prefix_f3 = byte == 0xf3;
    }
  }
}

void describe_encoding(const ZydisDecodedInstruction& instruction, Instruction& out) {
  switch (instruction.encoding) {
    case ZYDIS_INSTRUCTION_ENCODING_VEX:
      out.encoding = Encoding::kVex;
      out.prefix_offset = instruction.raw.vex.offset;
      break;
    case ZYDIS_INSTRUCTION_ENCODING_EVEX:
      out.encoding = Encoding::kEvex;
      out.prefix_offset = instruction.raw.evex.offset;
      break;
    default:
      if ((instruction.attributes & ZYDIS_ATTRIB_HAS_REX) == 0) break;
      out.prefix_offset = instruction.raw.rex.offset;
      out.rex = static_cast<uint8_t>(0x40 | instruction.raw.rex.W << 3 | instruction.raw.rex.R << 2 |
                                     instruction.raw.rex.X << 1 | instruction.raw.rex.B);
  }
}

uint8_t opcode_offset(const ZydisDecodedInstruction& instruction) {
  const auto& raw = instruction.raw;
  if (instruction.encoding == ZYDIS_INSTRUCTION_ENCODING_VEX)
    return static_cast<uint8_t>(raw.vex.offset + raw.vex.size);
  if (instruction.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX)
    return static_cast<uint8_t>(raw.evex.offset + 4);
  unsigned escapes = std::min<unsigned>(instruction.opcode_map, 2);
  return static_cast<uint8_t>(raw.prefix_count + escapes);
}

uint64_t immediate(const ZydisDecodedInstruction& instruction) {
  const auto& first = instruction.raw.imm[0];
  const auto& second = instruction.raw.imm[1];
  return second.size == 0 ? first.value.u : first.value.u | second.value.u << first.size;
}

// If mod is 0, SIB base 5 is no register, whatever REX.B is (SDM volume 2, table 2-3). Zydis 4.0 reports r13d
// if the address has 32 bits.
void mend_base(ZydisView& view) {
  const auto& raw = view.instruction.raw;
  bool has_sib = (view.instruction.attributes & ZYDIS_ATTRIB_HAS_SIB) != 0;
  if (!has_sib || raw.modrm.mod != 0 || raw.sib.base != 5) return;
  for (unsigned i = 0; i < view.instruction.operand_count; ++i) {
    ZydisDecodedOperand& operand = view.operands[i];
    if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY || operand.encoding != ZYDIS_OPERAND_ENCODING_MODRM_RM)
      continue;
    operand.mem.base = ZYDIS_REGISTER_NONE;
    operand.mem.disp = {ZYAN_TRUE, raw.disp.value};
  }
}

bool decode_view(const ZydisDecoder& decoder, std::span<const uint8_t> code, ZydisView& view) {
  return ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code.data(), code.size(), &view.instruction,
                                             static_cast<ZydisDecodedOperand*>(view.operands)));
}

// Returns true for F3 90 with a register other than rax. Processors run it as an exchange; Zydis 4.0 decodes
// it as pause.
bool is_exchange(const ZydisDecodedInstruction& instruction) {
  return instruction.mnemonic == ZYDIS_MNEMONIC_PAUSE &&
         (instruction.attributes & ZYDIS_ATTRIB_HAS_REX) != 0 && instruction.raw.rex.B != 0;
}

// Decodes the instruction as Zydis does without F3: replaces F3 by a DS prefix, which has no effect.
void see_exchange(const ZydisDecoder& decoder, std::span<const uint8_t> code, ZydisView& view) {
  std::vector<uint8_t> other(code.begin(), code.begin() + view.instruction.length);
  for (unsigned i = 0; i < view.instruction.raw.prefix_count; ++i) {
    if (other[i] == 0xf2 || other[i] == 0xf3) other[i] = 0x3e;
  }
  decode_view(decoder, other, view);
}

}  // namespace

uint8_t general_register(ZydisRegister name) {
  ZydisRegisterClass kind = ZydisRegisterGetClass(name);
  if (kind < ZYDIS_REGCLASS_GPR8 || kind > ZYDIS_REGCLASS_GPR64) return kNoRegister;
  return static_cast<uint8_t>(
      ZydisRegisterGetId(ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name)));
}

ZydisDecoder oracle_decoder() {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  ZydisDecoderEnableMode(&decoder, ZYDIS_DECODER_MODE_MPX, ZYAN_FALSE);
  return decoder;
}

bool is_supported(const ZydisDecodedInstruction& instruction) {
  ZydisISASet isa_set = instruction.meta.isa_set;
  if (isa_set >= ZYDIS_ISA_SET_KNCE && isa_set <= ZYDIS_ISA_SET_KNC_PF_HINT) return false;
  if (isa_set >= ZYDIS_ISA_SET_PADLOCK_ACE && isa_set <= ZYDIS_ISA_SET_PADLOCK_RNG) return false;
  bool nested_frames =
      instruction.mnemonic == ZYDIS_MNEMONIC_ENTER && instruction.raw.imm[1].value.u % 32 != 0;
  auto encoding = instruction.encoding;
  return !nested_frames &&
         (encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY || encoding == ZYDIS_INSTRUCTION_ENCODING_VEX ||
          encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX);
}

void describe_parts(const ZydisView& view, Instruction& out) {
  const ZydisDecodedInstruction& instruction = view.instruction;
  out.length = instruction.length;
  describe_prefixes(instruction, out);
  describe_encoding(instruction, out);
  out.opcode = instruction.opcode;
  out.opcode_offset = opcode_offset(instruction);
  out.map = static_cast<uint8_t>(instruction.opcode_map);  // Zydis numbers maps as VEX and EVEX do
  const auto& raw = instruction.raw;
  if ((instruction.attributes & ZYDIS_ATTRIB_HAS_MODRM) != 0) {
    out.modrm_offset = raw.modrm.offset;
    out.modrm = static_cast<uint8_t>(raw.modrm.mod << 6 | raw.modrm.reg << 3 | raw.modrm.rm);
  }
  if ((instruction.attributes & ZYDIS_ATTRIB_HAS_SIB) != 0) out.sib_offset = raw.sib.offset;
  out.displacement_bytes = raw.disp.size / 8;
  if (out.displacement_bytes != 0) out.displacement_offset = raw.disp.offset;
  out.immediate_bytes = static_cast<uint8_t>((raw.imm[0].size + raw.imm[1].size) / 8);
  if (out.immediate_bytes != 0) {
    out.immediate_offset = raw.imm[0].offset;
    out.immediate = immediate(instruction);
  }
}

std::optional<Described> describe(const ZydisDecoder& decoder, std::span<const uint8_t> code,
                                  uint64_t address) {
  ZydisView view;
  if (!decode_view(decoder, code, view) || !is_supported(view.instruction)) return std::nullopt;
  Described out;
  describe_parts(view, out.instruction);
  if (is_exchange(view.instruction)) see_exchange(decoder, code, view);
  mend_base(view);
  describe_flow(view, address, out.instruction);
  describe_flags(view, out.instruction);
  describe_accesses(view, address, out.instruction);
  describe_registers(view, out);
  describe_class(view, out.instruction);
  describe_vectors(view, out);
  describe_operation(view, out);
  return out;
}

}  // namespace hm::soft::direct
