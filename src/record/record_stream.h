// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/decompressor.h"
#include "record/record_cursor.h"

namespace hm::record {

// The records of one file in file order. Decompressed records follow the COMPRESSED record that held their
// last byte. Records stay valid for the lifetime of this object, also after a move.
class RecordStream {
 public:
  // `name` is a file name that prefixes its problems; empty if the recording is a single file.
  RecordStream(std::string name, Bytes records, bool swap, uint64_t file_offset)
      : name_(std::move(name)), swap_(swap), stored_(records, swap, file_offset) {}

  // Returns the next record, or nullopt at the end. Appends the problems it finds to `problems`.
  std::optional<Record> next(std::vector<std::string>& problems);

 private:
  std::optional<Record> next_of_file(std::vector<std::string>& problems);
  void decompress(const Record& record, std::vector<std::string>& problems);
  void end(std::vector<std::string>& problems);

  std::string name_;
  bool swap_;
  RecordCursor stored_;        // the records as stored in the file
  RecordCursor decompressed_;  // the records of the last COMPRESSED record
  uint64_t compressed_offset_ = 0;
  Decompressor decompressor_;
  bool stream_is_damaged_ = false;
  bool has_ended_ = false;
};

}  // namespace hm::record
