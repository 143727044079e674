// SPDX-License-Identifier: MIT
// An instruction's opcode, as far as its class depends on it. Freestanding. Encodings: Intel SDM volume 2.
#pragma once

#include <stdint.h>

namespace hm::soft {

enum class SimdClass : uint8_t;  // instruction_class.h

// The mandatory prefix, in VEX's own numbering.
enum Prefix : uint8_t { kNoPrefix = 0, k66 = 1, kF3 = 2, kF2 = 3 };

struct Opcode {
  uint8_t map = 0;  // 0: one byte; 1: 0F; 2: 0F 38; 3: 0F 3A
  uint8_t byte = 0;
  uint8_t modrm = 0;
  Prefix prefix = kNoPrefix;
  bool wide = false;  // REX.W, VEX.W or EVEX.W
  bool vex = false;   // or EVEX
  bool evex = false;
};

// `code` has `length` bytes; bytes that are missing at its end count as zeros.
Opcode read_opcode(const uint8_t* code, unsigned length);

// Its class as a vector, MMX or x87 instruction.
SimdClass simd_of(const Opcode& op);

constexpr bool in(uint8_t value, uint8_t first, uint8_t last) { return value >= first && value <= last; }

}  // namespace hm::soft
