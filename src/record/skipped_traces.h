// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "record/record.h"

namespace hm::record {

// Counts the hardware traces that a recording carries and that are passed over.
class SkippedTraces {
 public:
  // Any record; those that are not of a trace change nothing.
  void take(const Record& record);
  // A sentence; nothing where there was no trace.
  [[nodiscard]] std::optional<std::string> note() const;

 private:
  uint32_t kind_ = 0;  // of the AUXTRACE_INFO record; 0 = there was none
  uint64_t bytes_ = 0;
  uint64_t pieces_ = 0;
};

}  // namespace hm::record
