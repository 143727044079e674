// SPDX-License-Identifier: MIT
// The input is a recording: it is refused, or read to its end.
#include <cstddef>
#include <cstdint>
#include <span>

#include "analysis/check/recording_check.h"
#include "record/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto reader = hm::record::Reader::over(std::as_bytes(std::span(data, size)));
  if (!reader.ok()) return 0;
  hm::analysis::CheckResult result = hm::analysis::check(*reader);
  uint64_t records = 0;
  for (const auto& [kind, count] : result.records) records += count;
  if (records < result.samples) __builtin_trap();
  return 0;
}
