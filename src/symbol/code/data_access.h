// SPDX-License-Identifier: MIT
// The memory access of an instruction, and its address as computed from the registers before or after it.
#pragma once

#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "symbol/unwind/registers.h"

namespace hm::symbol {

class Decoder;

// The moment at which the registers were read.
enum class RegistersAt { kBefore, kAfter };

struct DataAccess {
  bool reads = false;  // reads the operand below; reads and writes are false without a memory access
  bool writes = false;
  uint16_t width_bytes = 0;  // 0: unknown
  // True if the registers determine the address. False in four cases: the registers are those after the
  // instruction, which overwrites one of the address (`mov (%rax),%rax`); the instruction has several
  // addresses (`cmps`, a gather); it uses a segment base; it addresses a bit string by a register (`bt
  // %rax,(%rbx)`).
  bool has_address = false;

  // The address is base + index * scale + displacement.
  uint8_t base = kNoRegister;
  uint8_t index = kNoRegister;
  uint8_t scale = 0;
  uint8_t address_bits = 64;
  int64_t displacement = 0;
  // Amount that the instruction added to the base, or subtracted if the direction flag is set.
  int8_t string_step_bytes = 0;

  [[nodiscard]] bool any() const { return reads || writes; }
};

// Decodes the access of the instruction at the start of `code`. With two memory operands, returns the one
// that is read, because the instruction waits for it.
[[nodiscard]] DataAccess decode_data_access(Decoder& decoder, Bytes code,
                                            RegistersAt when = RegistersAt::kAfter);

// Returns the address of the access. `registers` are those of the moment that the access was decoded for, but
// with the instruction pointer at the instruction's end. Returns nullopt if they do not determine the
// address.
[[nodiscard]] std::optional<uint64_t> address_of(const DataAccess& access, const RegisterValues& registers);

}  // namespace hm::symbol
