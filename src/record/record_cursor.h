// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/record.h"

namespace hm::record {

// Goes from record to record, over the data that follows an AUXTRACE or a HEADER_TRACING_DATA. It stops, for
// good and with one sentence in `problems`, at what cannot be a record.
class RecordCursor {
 public:
  RecordCursor() = default;
  // `file_offset`: of the first of `bytes`.
  RecordCursor(Bytes bytes, bool swap, uint64_t file_offset)
      : bytes_(bytes), swap_(swap), file_offset_(file_offset) {}

  std::optional<Record> next(std::vector<std::string>& problems);

 private:
  std::optional<Record> stop(std::vector<std::string>& problems, std::string problem);
  [[nodiscard]] std::string describe_rest() const;

  Bytes bytes_;
  bool swap_ = false;
  uint64_t file_offset_ = 0;
  size_t offset_ = 0;
};

}  // namespace hm::record
