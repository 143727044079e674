// SPDX-License-Identifier: MIT
#include "profile/register_values.h"

namespace hm::profile {

symbol::RegisterValues register_values(const record::Registers& registers) {
  symbol::RegisterValues result;
  if (registers.abi != PERF_SAMPLE_REGS_ABI_64) return result;
  size_t next = 0;
  for (unsigned number = 0; number < symbol::RegisterValues::kCount && next < registers.values.size();
       ++number) {
    if ((registers.mask >> number & 1) != 0) result.set(number, registers.values[next++]);
  }
  return result;
}

bool is_x86_64(const record::Features& features) { return !features.arch || *features.arch == "x86_64"; }

}  // namespace hm::profile
