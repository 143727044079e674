// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace hm::rdt {

struct PqosCpuid {
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

// The instruction on whatever CPU this runs on. Not compiled into its callers: tests replace the instruction
// in this function, as in libpqos, by one that traps, and answer in its place.
[[nodiscard]] PqosCpuid pqos_cpuid(uint32_t leaf, uint32_t subleaf);

}  // namespace hm::rdt
