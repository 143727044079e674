// SPDX-License-Identifier: MIT
#include "dump/dump.h"

#include <bit>

namespace hm::dump {

Sample sample_of(const record::Sample& sample) {
  Sample result;
  result.thread = {sample.pid, sample.tid};
  result.set(kIpColumn, sample.ip);
  const record::Registers& registers = sample.intr_regs;
  if (registers.abi == PERF_SAMPLE_REGS_ABI_NONE) return result;
  for (size_t column = 0; column < kColumns.size(); ++column) {
    unsigned number = kColumns[column].perf_register;
    auto place = static_cast<size_t>(std::popcount(registers.mask & ((uint64_t{1} << number) - 1)));
    bool recorded = (registers.mask >> number & 1) != 0 && place < registers.values.size();
    if (column != kIpColumn && recorded) result.set(column, registers.values[place]);
  }
  return result;
}

}  // namespace hm::dump
