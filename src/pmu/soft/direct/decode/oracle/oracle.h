// SPDX-License-Identifier: MIT
// Converts Zydis's description of an instruction to an Instruction. The decoder's table is made from these,
// and the decoder is tested against them. Hosted; not part of an engine.
//
// Zydis reports the contents of the manual's tables. To rewrite code, the following is also needed, and is
// added here:
//  - registers kept in whole or in part by bsf, bsr, rdssp (without shadow stacks), sldt, str, smsw;
//  - F3 90 as an exchange with r8, and a missing base that Zydis reports as a register;
//  - rsi and rdi of string instructions (Zydis names none for cmps), and that F2 repeats them like F3;
//  - flags that a shift by 0 or a repeated compare with count 0 leaves unchanged;
//  - displacements of pushes, and of a pop into memory at rsp, which uses the raised rsp;
//  - accesses without operand (clzero), operands without access (nop), prefetches; elements of gathers.
#pragma once

#include <Zydis/Zydis.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>

#include "pmu/soft/direct/decode/instruction.h"

namespace hm::soft::direct {

struct ZydisView {
  ZydisDecodedInstruction instruction{};
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT]{};

  [[nodiscard]] std::span<const ZydisDecodedOperand> all() const {
    return {operands, instruction.operand_count};
  }
};

struct Described {
  Instruction instruction;
  uint16_t fixed_read = 0;  // general registers that are used without a field naming them
  uint16_t fixed_written = 0;
  bool byte_register[kFields] = {};  // the field names an 8-bit register
  bool vector_index = false;         // SIB.index names a vector register
  bool has_vectors = false;          // an operand is a vector or MMX register
  uint8_t vectors_read = 0;          // bits 0 to 2: reg, rm and vvvv name vector registers
  uint8_t vectors_written = 0;
  bool cancels = false;  // the result is 0 if both sources are one register
};

// Returns Zydis configured for the instructions that decode() supports.
ZydisDecoder oracle_decoder();

// Returns true if decode() supports the instruction that Zydis has decoded.
bool is_supported(const ZydisDecodedInstruction& instruction);

// Returns nothing if there is no instruction, or if decode() does not support it.
std::optional<Described> describe(const ZydisDecoder& decoder, std::span<const uint8_t> code,
                                  uint64_t address);

// The steps of describe(): each fills its part of `out`.
void describe_parts(const ZydisView& view, Instruction& out);
void describe_flow(const ZydisView& view, uint64_t address, Instruction& out);
void describe_flags(const ZydisView& view, Instruction& out);
void describe_accesses(const ZydisView& view, uint64_t address, Instruction& out);
void describe_registers(const ZydisView& view, Described& out);
void describe_class(const ZydisView& view, Instruction& out);  // after describe_flow()
void describe_vectors(const ZydisView& view, Described& out);
void describe_operation(const ZydisView& view, Described& out);  // after all others

// Returns the number of a general register of any width; kNoRegister for other registers.
uint8_t general_register(ZydisRegister name);

// Returns the mnemonic without the v of VEX.
std::string plain_name(const ZydisDecodedInstruction& instruction);

// Returns true for instructions of the x87 unit, with those that SSE3 and the Pentium Pro added.
bool is_x87(const ZydisDecodedInstruction& instruction);

StringOperation string_operation(const ZydisDecodedInstruction& instruction);

inline bool is_one_of(const ZydisDecodedInstruction& instruction, std::initializer_list<ZydisMnemonic> list) {
  return std::ranges::find(list, instruction.mnemonic) != list.end();
}

}  // namespace hm::soft::direct
