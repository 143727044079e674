// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/decompressor.h"
#include "record/record_cursor.h"

namespace hm::record {

// The records of one file, in its order, with those that were compressed right after the record that held
// their last byte. They stay valid as long as this, also when it is moved.
class RecordStream {
 public:
  // `name`: of the file, to stand before its problems; empty where it is the only one.
  RecordStream(std::string name, Bytes records, bool swap, uint64_t file_offset)
      : name_(std::move(name)), swap_(swap), stored_(records, swap, file_offset) {}

  // The next record, or nothing at the end. What is found wrong is added to `problems`.
  std::optional<Record> next(std::vector<std::string>& problems);

 private:
  std::optional<Record> next_of_file(std::vector<std::string>& problems);
  void decompress(const Record& record, std::vector<std::string>& problems);
  void end(std::vector<std::string>& problems);

  std::string name_;
  bool swap_;
  RecordCursor stored_;        // the records as they stand in the file
  RecordCursor decompressed_;  // those of the compressed record before
  uint64_t compressed_offset_ = 0;
  Decompressor decompressor_;
  bool stream_is_damaged_ = false;
  bool has_ended_ = false;
};

}  // namespace hm::record
