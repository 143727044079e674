// SPDX-License-Identifier: MIT
// A counter's value as read(2) gives it: perf_event_open(2), "Reading results".
#pragma once

#include <cstdint>

#include "record/u64_view.h"

namespace hm::record {

struct ReadValue {
  uint64_t value = 0;
  uint64_t id = 0;    // where the format has PERF_FORMAT_ID
  uint64_t lost = 0;  // samples lost, where the format has PERF_FORMAT_LOST

  bool operator==(const ReadValue&) const = default;
};

// One value, or a group's. A view into the recording.
class ReadValues {
 public:
  ReadValues() = default;
  // `words` holds, for each value: value, id, lost, the last two only where `format` (PERF_FORMAT_*) has
  // them.
  ReadValues(uint64_t format, U64View words) : format_(format), words_(words) {}

  [[nodiscard]] uint64_t format() const { return format_; }
  [[nodiscard]] size_t size() const { return words_.size() / words_per_value(format_); }
  // `index` must be below size().
  [[nodiscard]] ReadValue operator[](size_t index) const;

  [[nodiscard]] static size_t words_per_value(uint64_t format);

  uint64_t time_enabled_ns = 0;  // where the format has PERF_FORMAT_TOTAL_TIME_ENABLED
  uint64_t time_running_ns = 0;  // where the format has PERF_FORMAT_TOTAL_TIME_RUNNING

 private:
  uint64_t format_ = 0;
  U64View words_;
};

[[nodiscard]] ReadValues decode_read_values(ByteReader& in, uint64_t format);
void encode_read_values(const ReadValues& values, ByteWriter& out);

}  // namespace hm::record
