// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace hm::rdt {

struct PqosCpuid {
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

// Executes the instruction CPUID on the current CPU. Not inlined: tests replace the instruction in this
// function, as in libpqos, by one that traps, and supply the result.
[[nodiscard]] PqosCpuid pqos_cpuid(uint32_t leaf, uint32_t subleaf);

}  // namespace hm::rdt
