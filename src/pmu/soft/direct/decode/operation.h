// SPDX-License-Identifier: MIT
// What an instruction computes, as far as its latency depends on it. Freestanding.
#pragma once

#include <stdint.h>

namespace hm::soft::direct {

enum class Operation : uint8_t {
  kSimple,  // of general registers: additions, logic, shifts, comparisons
  kMove,    // between registers of one kind, or to or from memory: only the access takes time
  kNothing,
  kMultiply,
  kDivide,        // by 32 bits or less
  kDivideLong,    // by 64 bits
  kVectorSimple,  // of integers, logic, and all that rearranges
  kVectorMultiply,
  kFloatAdd,
  kFloatMultiply,
  kFloatFused,  // multiplies and adds; also reciprocals, encryption, carry-less products
  kFloatDivide,
  kFloatRoot,
  kConvert,
  kToGeneral,    // from a vector register to a general one, or to flags
  kFromGeneral,  // from a general register to a vector register
  kX87,
  kSlow,      // dozens of cycles: rdtsc, fences, string comparisons
  kVerySlow,  // about a hundred: cpuid, xsave, transcendental functions
};
inline constexpr unsigned kOperations = 19;

}  // namespace hm::soft::direct
