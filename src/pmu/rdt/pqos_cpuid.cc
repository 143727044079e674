// SPDX-License-Identifier: MIT
#include "pmu/rdt/pqos_cpuid.h"

#include <cpuid.h>

namespace hm::rdt {

[[gnu::noinline]] PqosCpuid pqos_cpuid(uint32_t leaf, uint32_t subleaf) {
  PqosCpuid answer;
  __cpuid_count(leaf, subleaf, answer.eax, answer.ebx, answer.ecx, answer.edx);
  return answer;
}

}  // namespace hm::rdt
