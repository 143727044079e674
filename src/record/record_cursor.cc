// SPDX-License-Identifier: MIT
#include "record/record_cursor.h"

#include <fmt/format.h>

#include <algorithm>

namespace hm::record {
namespace {

// The kernel has types below 64, perf has some twenty from there: beyond this it is no record.
constexpr uint32_t kFirstImpossibleType = 0x10000;
constexpr size_t kTextProbeBytes = 64;

bool is_text(Bytes bytes) {
  Bytes probe = bytes.first(std::min(bytes.size(), kTextProbeBytes));
  return std::all_of(probe.begin(), probe.end(), [](std::byte byte) {
    auto c = std::to_integer<unsigned char>(byte);
    return (c >= ' ' && c < 0x7f) || c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == 0x1b;
  });
}

// Bytes that follow the record without being part of its size.
uint64_t trailing_bytes(const Record& record) {
  if (record.type == kAuxtrace) return record.reader().u64();
  if (record.type == kHeaderTracingData) return record.reader().u32();
  return 0;
}

}  // namespace

std::optional<Record> RecordCursor::next(std::vector<std::string>& problems) {
  size_t remaining = bytes_.size() - offset_;
  if (remaining == 0) return std::nullopt;
  ByteReader in(bytes_.subspan(offset_), swap_);
  Record record{.type = in.u32(),
                .misc = in.u16(),
                .swap = swap_,
                .payload = {},
                .file_offset = file_offset_ + offset_};
  uint16_t size = in.u16();
  if (!in.ok() || size < kRecordHeaderBytes || size > remaining || record.type >= kFirstImpossibleType) {
    return stop(problems, describe_rest());
  }
  record.payload = bytes_.subspan(offset_ + kRecordHeaderBytes, size - kRecordHeaderBytes);
  uint64_t trailing = trailing_bytes(record);
  offset_ += size;
  if (trailing > bytes_.size() - offset_) {
    (void)stop(problems, fmt::format("the recording ends inside the {} bytes of the {} record at offset {}",
                                     trailing, record_name(record.type), record.file_offset));
    return record;
  }
  offset_ += static_cast<size_t>(trailing);
  return record;
}

std::optional<Record> RecordCursor::stop(std::vector<std::string>& problems, std::string problem) {
  problems.push_back(std::move(problem));
  offset_ = bytes_.size();
  return std::nullopt;
}

std::string RecordCursor::describe_rest() const {
  Bytes rest = bytes_.subspan(offset_);
  uint64_t at = file_offset_ + offset_;
  if (is_text(rest))
    return fmt::format("after the last record, at offset {}, come {} bytes of text", at, rest.size());
  ByteReader in(rest, swap_);
  uint32_t type = in.u32();
  in.skip(sizeof(uint16_t));
  uint16_t size = in.u16();
  if (in.ok() && type < kFirstImpossibleType && size >= kRecordHeaderBytes) {
    return fmt::format("the last record, a {} of {} bytes at offset {}, is cut off after {}",
                       record_name(type), size, at, rest.size());
  }
  if (!in.ok())
    return fmt::format("the recording ends with {} bytes that are no record, at offset {}", rest.size(), at);
  return fmt::format(
      "what stands at offset {} is no record (type {}, {} bytes): the {} bytes from there were not read", at,
      type, size, rest.size());
}

}  // namespace hm::record
