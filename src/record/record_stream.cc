// SPDX-License-Identifier: MIT
#include "record/record_stream.h"

#include <fmt/format.h>

namespace hm::record {

std::optional<Record> RecordStream::next(std::vector<std::string>& problems) {
  size_t known = problems.size();
  std::optional<Record> record = next_of_file(problems);
  for (; !name_.empty() && known < problems.size(); ++known) {
    problems[known] = fmt::format("{}: {}", name_, problems[known]);
  }
  return record;
}

std::optional<Record> RecordStream::next_of_file(std::vector<std::string>& problems) {
  if (std::optional<Record> record = decompressed_.next(problems)) {
    record->file_offset = compressed_offset_;
    return record;
  }
  std::optional<Record> record = stored_.next(problems);
  if (!record.has_value()) {
    end(problems);
  } else if (record->type == kCompressed || record->type == kCompressed2) {
    decompress(*record, problems);
  }
  return record;
}

// After damage the rest of the stream is undecodable: reports one problem and skips its remaining records.
void RecordStream::decompress(const Record& record, std::vector<std::string>& problems) {
  if (stream_is_damaged_) return;
  Result<Bytes> part = compressed_part(record);
  Result<Bytes> records = part.ok() ? decompressor_.decompress(*part, swap_) : part;
  if (!records.ok()) {
    stream_is_damaged_ = true;
    problems.push_back(fmt::format("the {} record at offset {} and those after it were not decompressed: {}",
                                   record_name(record.type), record.file_offset, records.error().message));
    return;
  }
  decompressed_ = RecordCursor(*records, swap_, 0);
  compressed_offset_ = record.file_offset;
}

void RecordStream::end(std::vector<std::string>& problems) {
  if (has_ended_) return;
  has_ended_ = true;
  decompressor_.end();
  if (stream_is_damaged_ || decompressor_.pending_bytes() == 0) return;
  problems.push_back(fmt::format("the compressed records end inside a record, of which there are {} bytes",
                                 decompressor_.pending_bytes()));
}

}  // namespace hm::record
