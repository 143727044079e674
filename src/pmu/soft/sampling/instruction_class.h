// SPDX-License-Identifier: MIT
// The kind of an instruction, as far as events depend on it. direct/decode determines it. Half-precision
// arithmetic has no class. Freestanding.
#pragma once

#include <stdint.h>

namespace hm::soft {

enum class BranchKind : uint8_t { kNone, kConditional, kJump, kIndirectJump, kCall, kIndirectCall, kReturn };

enum class SimdClass : uint8_t {
  kNone,
  kPackedSp,
  kPackedDp,
  kScalarSp,
  kScalarDp,
  kMmx64,    // 64-bit integer
  kSimd128,  // 128-, 256- or 512-bit integer
  kX87,
  kMove,  // x87, MMX, SSE, AVX, AVX-512 loads, stores and register moves
};

struct InstructionClass {
  BranchKind branch = BranchKind::kNone;
  SimdClass simd = SimdClass::kNone;
  bool only_moves = false;  // a plain move: if it loads, it does not compute
};

}  // namespace hm::soft
