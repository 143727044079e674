// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "record/reader.h"

namespace hm::profile {

struct TimedRecord {
  record::Record record;
  uint64_t time_ns = 0;
  uint32_t event = 0;        // index into the reader's events
  bool event_known = false;  // otherwise `event` is the first, whose layout such records have
};

// Every record of the recording that the kernel or the software PMU wrote, in order of time; those without a
// time stay behind the one they follow in the file. What perf added (types from 64 on) is handed to
// `on_added` at once.
template <typename F>
std::vector<TimedRecord> read_in_order_of_time(record::Reader& reader, F&& on_added);

// The part of it that needs no callback.
[[nodiscard]] TimedRecord with_time(const record::Reader& reader, const record::Record& record,
                                    uint64_t previous_time_ns);
void sort_by_time(std::vector<TimedRecord>& records);

template <typename F>
std::vector<TimedRecord> read_in_order_of_time(record::Reader& reader, F&& on_added) {
  std::vector<TimedRecord> records;
  uint64_t time_ns = 0;
  while (auto record = reader.next()) {
    if (record->type >= record::kHeaderAttr) {
      on_added(*record);
      continue;
    }
    records.push_back(with_time(reader, *record, time_ns));
    time_ns = records.back().time_ns;
  }
  sort_by_time(records);
  return records;
}

}  // namespace hm::profile
