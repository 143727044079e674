// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "record/perf_record.h"

namespace hm::record {

// Counts the hardware traces in a recording that the reader skips.
class SkippedTraces {
 public:
  // Takes any record; records that do not belong to a trace have no effect.
  void take(const Record& record);
  // Returns a sentence; nullopt if there was no trace.
  [[nodiscard]] std::optional<std::string> note() const;

 private:
  uint32_t kind_ = 0;  // from the AUXTRACE_INFO record; 0 = none
  uint64_t bytes_ = 0;
  uint64_t pieces_ = 0;
};

}  // namespace hm::record
