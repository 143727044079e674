// SPDX-License-Identifier: MIT
#include "record/record_cursor.h"

#include <fmt/format.h>

#include <algorithm>

#include "record/record_search.h"

namespace hm::record {
namespace {

// The kernel's types are below 64, and perf has about twenty from 64 on. Larger types than this cannot be
// valid.
constexpr uint32_t kFirstImpossibleType = 0x10000;
constexpr size_t kTextProbeBytes = 64;

// The start of a record is known only after the previous record has been read. A walk over a large file would
// therefore miss the cache at each record. Records differ in length, so all bytes this far ahead are
// prefetched.
constexpr size_t kPrefetchAheadBytes = 4096;
constexpr size_t kCacheLineBytes = 64;

void prefetch(Bytes bytes, size_t from, size_t to) {
  for (size_t at = from; at < std::min(to, bytes.size()); at += kCacheLineBytes)
    __builtin_prefetch(&bytes[at]);
}

// Fewer bytes than a header cannot be classified: a record's type may be a tab character.
bool is_text(Bytes bytes) {
  if (bytes.size() < kRecordHeaderBytes) return false;
  Bytes probe = bytes.first(std::min(bytes.size(), kTextProbeBytes));
  return std::all_of(probe.begin(), probe.end(), [](std::byte byte) {
    auto c = std::to_integer<unsigned char>(byte);
    return (c >= ' ' && c < 0x7f) || c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == 0x1b;
  });
}

// Some recorders pad a file to the size of a page or disk block. Zeros left by a crash are longer: whole
// pages, in a file with an unfinished header.
constexpr size_t kMaxPaddingBytes = 4095;

bool is_zero(Bytes bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte == std::byte{0}; });
}

// Sizes of the kernel's own records are multiples of 8; some of perf's are not.
bool is_possible(uint32_t type, size_t size) {
  bool of_kernel = type < kHeaderAttr;
  return type != 0 && type < kFirstImpossibleType && size >= kRecordHeaderBytes &&
         (!of_kernel || size % 8 == 0);
}

// Returns the number of bytes after the record that its size does not include.
uint64_t trailing_bytes(const Record& record) {
  if (record.type == kAuxtrace) return record.reader().u64();
  if (record.type == kHeaderTracingData) return record.reader().u32();
  return 0;
}

}  // namespace

std::optional<Record> RecordCursor::next(std::vector<std::string>& problems) {
  std::optional<Record> record = record_here();
  if (!record.has_value() && skip_to_records()) record = record_here();
  if (!record.has_value()) {
    end(problems);
    return std::nullopt;
  }
  offset_ += kRecordHeaderBytes + record->payload.size();
  uint64_t trailing = trailing_bytes(*record);
  if (trailing > bytes_.size() - offset_) {
    problems.push_back(fmt::format("the recording ends inside the {} bytes of the {} record at offset {}",
                                   trailing, record_name(record->type), record->file_offset));
    trailing = bytes_.size() - offset_;
  }
  offset_ += static_cast<size_t>(trailing);
  return record;
}

std::optional<Record> RecordCursor::record_here() const {
  ByteReader in(bytes_.subspan(offset_), swap_);
  Record record{.type = in.u32(),
                .misc = in.u16(),
                .swap = swap_,
                .payload = {},
                .file_offset = file_offset_ + offset_};
  size_t size = in.u16();
  if (!in.ok() || !is_possible(record.type, size) || size > bytes_.size() - offset_) return std::nullopt;
  record.payload = bytes_.subspan(offset_ + kRecordHeaderBytes, size - kRecordHeaderBytes);
  prefetch(bytes_, offset_ + kPrefetchAheadBytes, offset_ + kPrefetchAheadBytes + size);
  return record;
}

bool RecordCursor::skip_to_records() {
  std::optional<size_t> found = find_records(bytes_, offset_ + 1, swap_);
  if (!found.has_value()) return false;
  if (skipped_.places++ == 0) skipped_.first_offset = file_offset_ + offset_;
  skipped_.bytes += *found - offset_;
  offset_ = *found;
  return true;
}

void RecordCursor::end(std::vector<std::string>& problems) {
  if (skipped_.places > 0) {
    problems.push_back(
        fmt::format("{} bytes that are not records were skipped (in {} positions, the first at offset {})",
                    skipped_.bytes, skipped_.places, skipped_.first_offset));
  }
  Bytes rest = bytes_.subspan(offset_);
  bool padding = rest.size() <= kMaxPaddingBytes && is_zero(rest);
  if (!padding) problems.push_back(describe_rest());
  skipped_ = {};
  offset_ = bytes_.size();
}

std::string RecordCursor::describe_rest() const {
  Bytes rest = bytes_.subspan(offset_);
  uint64_t at = file_offset_ + offset_;
  if (is_text(rest))
    return fmt::format("after the last record, at offset {}, come {} bytes of text", at, rest.size());
  if (is_zero(rest)) {
    return fmt::format(
        "from offset {} on there are {} zeros instead of records, as after a crash of the machine", at,
        rest.size());
  }
  ByteReader in(rest, swap_);
  uint32_t type = in.u32();
  in.skip(sizeof(uint16_t));
  uint16_t size = in.u16();
  if (in.ok() && is_possible(type, size)) {
    return fmt::format("the last record, a {} of {} bytes at offset {}, is cut off after {}",
                       record_name(type), size, at, rest.size());
  }
  if (!in.ok())
    return fmt::format("the recording ends with {} bytes that are not a record, at offset {}", rest.size(),
                       at);
  return fmt::format(
      "the data at offset {} is not a record (type {}, {} bytes): the {} bytes from there were not read", at,
      type, size, rest.size());
}

}  // namespace hm::record
