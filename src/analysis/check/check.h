// SPDX-License-Identifier: MIT
// Is this recording sane: what is in it, and what is wrong with it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/reader.h"

namespace hm::analysis {

// What is added up over all samples.
enum class Sum : uint8_t {
  kPeriod,
  kAddresses,    // of data, that are not 0
  kWeight,       // and latencies
  kDataSources,  // that say something
  kBranchEntries,
  kCallchainIps,  // with the PERF_CONTEXT_* markers, as they are recorded
  kUserRegisters,
  kStackBytes,  // that could be copied
  kInterruptRegisters,
  kRawBytes,
  kAuxBytes,
};
inline constexpr size_t kSumCount = static_cast<size_t>(Sum::kAuxBytes) + 1;
struct SumName {
  Sum sum;
  std::string_view key;   // "period_sum": as JSON has it
  std::string_view text;  // "period"
};
// In the order of the enumerators.
[[nodiscard]] const std::array<SumName, kSumCount>& sum_names();

struct CheckResult {
  std::map<std::string, uint64_t> records;  // by kind: record::record_name; with those that were compressed
  uint64_t samples = 0;
  std::vector<uint64_t> samples_per_event;  // in the order of Reader::events()

  // Nothing where no sample has the field: it was not recorded.
  std::array<std::optional<uint64_t>, kSumCount> sums;
  [[nodiscard]] std::optional<uint64_t> sum(Sum which) const { return sums[static_cast<size_t>(which)]; }

  uint64_t lost = 0;                  // records and samples that the kernel or the hardware says it lost
  std::vector<std::string> problems;  // a sentence each
  std::vector<std::string> notes;     // what was left out though nothing is wrong: Reader::notes
};

// Reads the recording to its end.
[[nodiscard]] CheckResult check(record::Reader& reader);

}  // namespace hm::analysis
