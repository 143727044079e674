// SPDX-License-Identifier: MIT
// The machine that programs see in a reproducible run, whatever machine they run on. Freestanding.
#pragma once

#include <stdint.h>

namespace hm::soft {

// What CPUID returns for a leaf (Intel SDM volume 2, CPUID).
struct CpuidLeaf {
  uint32_t leaf;
  uint32_t subleaf;  // kAnySubleaf: the leaf has no subleaves
  uint32_t a, b, c, d;
};
inline constexpr uint32_t kAnySubleaf = ~uint32_t{0};
inline constexpr uint32_t kMaxCpuidLeaves = 32;

inline constexpr uint32_t kMaxProcessorText = 1536;

struct DefinedMachine {
  uint32_t on;  // 0: programs see the machine that they run on
  uint32_t leaf_count;
  uint64_t seed;                      // of all random numbers
  uint32_t xcr0;                      // state components that XGETBV reports
  uint32_t hwcap;                     // AT_HWCAP: leaf 1's edx
  CpuidLeaf leaves[kMaxCpuidLeaves];  // all others return zeros
  char processor[kMaxProcessorText];  // text of /proc/cpuinfo, up to the first NUL
};

}  // namespace hm::soft
