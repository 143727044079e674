// SPDX-License-Identifier: MIT
// What an instruction accesses in memory, and where, told from the registers after it.
#pragma once

#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "symbol/unwind/registers.h"

namespace hm::symbol {

class Decoder;

struct DataAccess {
  bool reads = false;  // of the operand below: neither where the instruction accesses no memory
  bool writes = false;
  uint16_t width_bytes = 0;  // 0: not known
  // Whether the registers after the instruction tell the address: not where it overwrote one that it took the
  // address from (`mov (%rax),%rax`), of several addresses (`cmps`, a gather), with a segment's base, for a
  // bit string whose bit a register chooses (`bt %rax,(%rbx)`).
  bool told = false;

  // The address is base + index * scale + displacement.
  uint8_t base = kNoRegister;
  uint8_t index = kNoRegister;
  uint8_t scale = 0;
  uint8_t address_bits = 64;
  int64_t displacement = 0;
  // What the instruction added to the base, or took away where the direction flag is set.
  int8_t string_step_bytes = 0;

  [[nodiscard]] bool any() const { return reads || writes; }
};

// Of an instruction that accesses two operands it is the one that is read: that is what it waits for.
[[nodiscard]] DataAccess decode_data_access(Decoder& decoder, Bytes code);

// `after`: the registers after the instruction, the instruction pointer at its end among them. nullopt where
// they do not tell.
[[nodiscard]] std::optional<uint64_t> address_of(const DataAccess& access, const RegisterValues& after);

}  // namespace hm::symbol
