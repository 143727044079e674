// SPDX-License-Identifier: MIT
// Index of the records of a recording, in order of time.
#pragma once

#include <cstdint>
#include <vector>

#include "record/reader.h"

namespace hm::profile {

// Takes only 16 bytes, because a recording has millions of records.
class IndexedRecord {
 public:
  IndexedRecord(uint64_t time_ns, const record::Record& record)
      : time_ns_(time_ns),
        tagged_(reinterpret_cast<uintptr_t>(record.payload.data() - record::kRecordHeaderBytes) << 1 |
                uintptr_t{record.type == PERF_RECORD_SAMPLE}) {}

  [[nodiscard]] uint64_t time_ns() const { return time_ns_; }
  [[nodiscard]] bool is_sample() const { return (tagged_ & 1) != 0; }
  // Returns the record as the Reader returned it, but without its position in the file.
  [[nodiscard]] record::Record record(bool swap) const;
  // Prefetches the start of the record before record() reads it: the records lie too far apart for the
  // hardware prefetcher.
  void prefetch() const {
    const auto* header = reinterpret_cast<const std::byte*>(tagged_ >> 1);
    for (size_t line = 0; line < kPrefetchedLines; ++line) __builtin_prefetch(header + line * kLineBytes);
  }

 private:
  static constexpr size_t kLineBytes = 64;
  static constexpr size_t kPrefetchedLines = 6;

  uint64_t time_ns_;
  uintptr_t tagged_;  // address of the record's first byte, shifted left by 1, and is_sample() in bit 0
};

// Determines the time of each record as the records go by.
class RecordTimes {
 public:
  explicit RecordTimes(const record::Reader& reader);
  // Returns the record's time; a record without a time gets that of the previous record.
  uint64_t of(const record::Record& record);

 private:
  void decode(const record::Record& record);

  const record::Reader& reader_;
  std::optional<size_t> sample_offset_;  // offset of the time in a sample's payload, if all events agree
  uint64_t time_ns_ = 0;
};

struct RecordIndex {
  std::vector<IndexedRecord> records;
  bool swap = false;
  size_t samples = 0;
};

// Indexes every record about samples, processes or totals, in file order. Passes records that perf added
// (types from 64 on) to `on_added` immediately.
template <typename F>
RecordIndex read_index(record::Reader& reader, F&& on_added);

// Stable: records of equal time keep their order.
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
    case PERF_RECORD_KSYMBOL:
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
