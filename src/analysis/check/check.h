// SPDX-License-Identifier: MIT
// Is this recording sane: what is in it, and what is wrong with it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/reader.h"

namespace hm::analysis {

struct CheckResult {
  std::map<std::string, uint64_t> records;  // by kind: record::record_name; with those that were compressed
  uint64_t samples = 0;
  std::vector<uint64_t> samples_per_event;  // in the order of Reader::events()

  // Nothing where no sample has the field: it was not recorded.
  std::optional<uint64_t> period_sum;
  std::optional<uint64_t> branch_entries;
  std::optional<uint64_t> callchain_ips;  // with the PERF_CONTEXT_* markers, as they are recorded

  uint64_t lost = 0;                  // records and samples that the kernel or the hardware says it lost
  std::vector<std::string> problems;  // a sentence each
  std::vector<std::string> notes;     // what was left out though nothing is wrong: Reader::notes
};

// Reads the recording to its end.
[[nodiscard]] CheckResult check(record::Reader& reader);

}  // namespace hm::analysis
