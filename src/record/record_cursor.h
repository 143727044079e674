// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/perf_record.h"

namespace hm::record {

// Iterates over records and skips the data that follows an AUXTRACE or a HEADER_TRACING_DATA. If bytes cannot
// be a record, continues at the next valid records (record_search.h), or ends if there are none. At the end,
// one sentence in `problems` reports the number of skipped or unread bytes.
class RecordCursor {
 public:
  RecordCursor() = default;
  // `file_offset` is the offset of `bytes` in the file.
  RecordCursor(Bytes bytes, bool swap, uint64_t file_offset)
      : bytes_(bytes), swap_(swap), file_offset_(file_offset) {}

  std::optional<Record> next(std::vector<std::string>& problems);

 private:
  struct Skipped {
    uint64_t bytes = 0;
    uint64_t places = 0;
    uint64_t first_offset = 0;
  };

  [[nodiscard]] std::optional<Record> record_here() const;
  bool skip_to_records();
  void end(std::vector<std::string>& problems);
  [[nodiscard]] std::string describe_rest() const;

  Bytes bytes_;
  bool swap_ = false;
  uint64_t file_offset_ = 0;
  size_t offset_ = 0;
  Skipped skipped_;
};

}  // namespace hm::record
