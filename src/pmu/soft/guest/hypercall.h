// SPDX-License-Identifier: MIT
// How the guest's first process talks to the plugin: a no-operation with a displacement that no compiler
// emits. The plugin watches for it when QEMU translates code. Outside such a QEMU it does nothing.
#pragma once

#include <stdint.h>

namespace hm::soft::guest {

enum class Hypercall : uint64_t {
  kBegin = 1,   // measure from now on
  kEnd = 2,     // measure no longer; first argument: the program's exit status
  kRecords = 3  // perf records: address and number of bytes
};

inline constexpr uint32_t kHypercallMark = 0x7468'6d68;
inline constexpr uint8_t kHypercallCode[] = {0x0f,
                                             0x1f,
                                             0x84,
                                             0x00,
                                             kHypercallMark & 0xff,
                                             kHypercallMark >> 8 & 0xff,
                                             kHypercallMark >> 16 & 0xff,
                                             kHypercallMark >> 24 & 0xff};

// Registers: rax is the call, rdi and rsi are its arguments.
inline void hypercall(Hypercall call, uint64_t first = 0, uint64_t second = 0) {
  asm volatile(".byte 0x0f, 0x1f, 0x84, 0x00\n.long 0x74686d68"
               :
               : "a"(static_cast<uint64_t>(call)), "D"(first), "S"(second)
               : "memory");
}

}  // namespace hm::soft::guest
