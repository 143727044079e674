// SPDX-License-Identifier: MIT
// Requests of the guest's first process to the plugin: a no-operation with a displacement that compilers do
// not emit. The plugin finds it when QEMU translates code. Without the plugin it has no effect.
#pragma once

#include <stdint.h>

namespace hm::soft::guest {

enum class Hypercall : uint64_t {
  kBegin = 1,  // measure from now on
  kPause = 2,  // measure no longer
  kEnd = 3,    // the program has ended; the argument is its exit status
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

// Registers: rax is the call, rdi its argument.
inline void hypercall(Hypercall call, uint64_t argument = 0) {
  asm volatile(".byte 0x0f, 0x1f, 0x84, 0x00\n.long 0x74686d68"
               :
               : "a"(static_cast<uint64_t>(call)), "D"(argument)
               : "memory");
}

}  // namespace hm::soft::guest
