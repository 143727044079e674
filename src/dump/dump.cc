// SPDX-License-Identifier: MIT
#include "dump/dump.h"

#include <algorithm>
#include <bit>

#include "record/extension.h"
#include "record/extension_pieces.h"

namespace hm::dump {

void take_registers(const record::Registers& registers, Sample& result) {
  if (registers.abi == PERF_SAMPLE_REGS_ABI_NONE) return;
  for (size_t column = 0; column < kColumns.size(); ++column) {
    unsigned number = kColumns[column].perf_register;
    auto place = static_cast<size_t>(std::popcount(registers.mask & ((uint64_t{1} << number) - 1)));
    bool recorded = (registers.mask >> number & 1) != 0 && place < registers.values.size();
    if (column != kIpColumn && recorded) result.set(column, registers.values[place]);
  }
}

Sample sample_of(const record::Sample& sample) {
  Sample result;
  result.thread = {sample.pid, sample.tid};
  result.set(kIpColumn, sample.ip);
  take_registers(sample.intr_regs, result);
  result.details = details_of(sample);
  return result;
}

std::optional<HeapSite> heap_site_of(const record::Sample& sample) {
  Bytes raw = sample.raw;
  auto site = record::take_piece<record::HeapSiteExtension>(raw, record::kHeapSiteMagic);
  if (!site) return std::nullopt;
  HeapSite result{site->site, site->any_caller != 0, sample.addr, {}, {}};
  result.at.thread = {sample.pid, sample.tid};
  result.at.set(kIpColumn, sample.ip);
  take_registers(sample.user_regs, result.at);
  Bytes stack = sample.user_stack.bytes;
  stack = stack.first(std::min<uint64_t>(stack.size(), sample.user_stack.used_bytes));
  result.stack.assign(stack.begin(), stack.end());
  return result;
}

}  // namespace hm::dump
