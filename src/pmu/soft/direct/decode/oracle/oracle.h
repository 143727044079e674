// SPDX-License-Identifier: MIT
// What Zydis says of an instruction, as an Instruction: what the decoder's table is made from and what the
// decoder is checked against. Hosted; no part of an engine.
//
// Zydis says what the manual's tables say. Code that is to be changed needs more, and here it is added:
//  - registers kept, wholly or in part: by bsf, bsr, rdssp (nothing without shadow stacks), sldt, str, smsw;
//  - F3 90 as an exchange with r8, and a base register that there is not;
//  - rsi and rdi of string instructions (Zydis names none for cmps), and that F2 repeats them like F3;
//  - flags that a shift by 0 or a repeated compare of nothing leaves alone;
//  - displacements of pushes, and of a pop into memory at rsp, which is already raised;
//  - accesses without operand (clzero), operands without access (nop), prefetches; elements of gathers.
#pragma once

#include <Zydis/Zydis.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>

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
  bool byte_register[kFields] = {};  // the field names a register of 8 bits
  bool vector_index = false;         // SIB.index names a vector register
};

// Zydis set up for what decode() supports.
ZydisDecoder oracle_decoder();

// Whether decode() supports what Zydis has decoded.
bool is_supported(const ZydisDecodedInstruction& instruction);

// Nothing: no instruction, or one that decode() does not support.
std::optional<Described> describe(const ZydisDecoder& decoder, std::span<const uint8_t> code,
                                  uint64_t address);

// The steps of describe(): each fills its part.
void describe_parts(const ZydisView& view, Instruction& out);
void describe_flow(const ZydisView& view, uint64_t address, Instruction& out);
void describe_flags(const ZydisView& view, Instruction& out);
void describe_accesses(const ZydisView& view, uint64_t address, Instruction& out);
void describe_registers(const ZydisView& view, Described& out);
void describe_class(const ZydisView& view, Instruction& out);  // after describe_flow()

// The number of a general register of any width, kNoRegister for other registers.
uint8_t general_register(ZydisRegister name);

StringOperation string_operation(const ZydisDecodedInstruction& instruction);

inline bool is_one_of(const ZydisDecodedInstruction& instruction, std::initializer_list<ZydisMnemonic> list) {
  return std::ranges::find(list, instruction.mnemonic) != list.end();
}

}  // namespace hm::soft::direct
