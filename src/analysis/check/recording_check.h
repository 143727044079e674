// SPDX-License-Identifier: MIT
// Checks a recording: counts its contents and lists its problems.
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

// Quantities that are summed over all samples.
enum class Sum : uint8_t {
  kPeriod,
  kAddresses,    // data addresses other than 0
  kWeight,       // weights and latencies
  kDataSources,  // data sources with information
  kBranchEntries,
  kCallchainIps,  // includes the PERF_CONTEXT_* markers, as recorded
  kUserRegisters,
  kStackBytes,  // bytes that the kernel could copy
  kInterruptRegisters,
  kRawBytes,
  kAuxBytes,
};
inline constexpr size_t kSumCount = static_cast<size_t>(Sum::kAuxBytes) + 1;
struct SumName {
  Sum sum;
  std::string_view key;   // JSON key: "period_sum"
  std::string_view text;  // label: "period"
};
// Returns the names in the order of the enumerators.
[[nodiscard]] const std::array<SumName, kSumCount>& sum_names();

struct CheckResult {
  std::map<std::string, uint64_t>
      records;  // by kind (record::record_name); includes records that were compressed
  uint64_t samples = 0;
  std::vector<uint64_t> samples_per_event;  // in the order of Reader::events()

  // nullopt if no sample has the field, that is, the field was not recorded.
  std::array<std::optional<uint64_t>, kSumCount> sums;
  [[nodiscard]] std::optional<uint64_t> sum(Sum which) const { return sums[static_cast<size_t>(which)]; }

  uint64_t lost = 0;                  // records and samples that the kernel or the hardware reports as lost
  std::vector<std::string> problems;  // one sentence each
  std::vector<std::string> notes;     // harmless omissions: Reader::notes
};

// Reads the recording to its end.
[[nodiscard]] CheckResult check(record::Reader& reader);

}  // namespace hm::analysis
