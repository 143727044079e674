// SPDX-License-Identifier: MIT
// Where the records of a recording are, in order of time.
#pragma once

#include <cstdint>
#include <vector>

#include "record/reader.h"

namespace hm::profile {

// 16 bytes a record, for there are millions.
class IndexedRecord {
 public:
  IndexedRecord(uint64_t time_ns, const record::Record& record)
      : time_ns_(time_ns),
        tagged_(reinterpret_cast<uintptr_t>(record.payload.data() - record::kRecordHeaderBytes) << 1 |
                uintptr_t{record.type == PERF_RECORD_SAMPLE}) {}

  [[nodiscard]] uint64_t time_ns() const { return time_ns_; }
  [[nodiscard]] bool is_sample() const { return (tagged_ & 1) != 0; }
  // As the Reader gave it, but for the place in the file.
  [[nodiscard]] record::Record record(bool swap) const;
  // Asks for its first bytes, which record() will touch soon: the records lie too far apart for the processor
  // to guess.
  void prefetch() const {
    const auto* header = reinterpret_cast<const std::byte*>(tagged_ >> 1);
    for (size_t line = 0; line < kPrefetchedLines; ++line) __builtin_prefetch(header + line * kLineBytes);
  }

 private:
  static constexpr size_t kLineBytes = 64;
  static constexpr size_t kPrefetchedLines = 6;

  uint64_t time_ns_;
  uintptr_t tagged_;  // the address of the record's first byte, and below it whether it is a sample
};

// Tells the time of each record that goes by.
class RecordTimes {
 public:
  explicit RecordTimes(const record::Reader& reader);
  // A record without a time has that of the one before.
  uint64_t of(const record::Record& record);

 private:
  void decode(const record::Record& record);

  const record::Reader& reader_;
  std::optional<size_t> sample_offset_;  // of a sample's time in its payload, where all events agree on it
  uint64_t time_ns_ = 0;
};

struct RecordIndex {
  std::vector<IndexedRecord> records;
  bool swap = false;
  size_t samples = 0;
};

// Every record of the recording that says something about samples, processes or totals, in the order of the
// file. What perf added (types from 64 on) is handed to `on_added` at once.
template <typename F>
RecordIndex read_index(record::Reader& reader, F&& on_added);

// Those of one time stay as they are.
void sort_by_time(std::vector<IndexedRecord>& records, size_t workers);

[[nodiscard]] constexpr bool is_indexed(uint32_t type) {
  switch (type) {
    case PERF_RECORD_SAMPLE:
    case PERF_RECORD_MMAP:
    case PERF_RECORD_MMAP2:
    case PERF_RECORD_COMM:
    case PERF_RECORD_FORK:
    case PERF_RECORD_LOST:
    case PERF_RECORD_LOST_SAMPLES:
    case PERF_RECORD_THROTTLE:
    case PERF_RECORD_UNTHROTTLE:
    case PERF_RECORD_READ:
    case record::kCallchainDeferred:
      return true;
    default:
      return false;
  }
}

template <typename F>
RecordIndex read_index(record::Reader& reader, F&& on_added) {
  RecordIndex index;
  RecordTimes times(reader);
  while (auto record = reader.next()) {
    if (record->type >= record::kHeaderAttr) {
      on_added(*record);
      continue;
    }
    uint64_t time_ns = times.of(*record);
    if (!is_indexed(record->type)) continue;
    index.records.emplace_back(time_ns, *record);
    index.samples += record->type == PERF_RECORD_SAMPLE;
    index.swap = record->swap;
  }
  return index;
}

}  // namespace hm::profile
