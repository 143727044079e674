// SPDX-License-Identifier: MIT
// Counter values in the layout of read(2): perf_event_open(2), "Reading results".
#pragma once

#include <cstdint>

#include "record/u64_view.h"

namespace hm::record {

// A counter counts as running throughout if it ran for more than this fraction of the time it was enabled.
// The fraction is below 1 because the two times of a thread that migrates between CPUs are read at different
// moments.
inline constexpr double kThroughout = 0.995;

struct ReadValue {
  uint64_t value = 0;
  uint64_t id = 0;    // valid if the format has PERF_FORMAT_ID
  uint64_t lost = 0;  // samples lost; valid if the format has PERF_FORMAT_LOST

  bool operator==(const ReadValue&) const = default;
};

// One counter value, or those of a group (PERF_FORMAT_GROUP). The values of a group are a view into the
// recording.
class ReadValues {
 public:
  ReadValues() = default;
  // `format` holds PERF_FORMAT_* bits without PERF_FORMAT_GROUP.
  ReadValues(uint64_t format, ReadValue single) : format_(format), size_(1), single_(single) {}
  // `format` includes PERF_FORMAT_GROUP. `words` holds for each counter its value, its id and its lost
  // samples; the last two only if `format` includes them.
  ReadValues(uint64_t format, U64View words)
      : format_(format), size_(words.size() / words_per_value(format)), group_(words) {}

  [[nodiscard]] uint64_t format() const { return format_; }
  [[nodiscard]] size_t size() const { return size_; }
  // `index` must be below size().
  [[nodiscard]] ReadValue operator[](size_t index) const;

  [[nodiscard]] static size_t words_per_value(uint64_t format);

  uint64_t time_enabled_ns = 0;  // valid if the format has PERF_FORMAT_TOTAL_TIME_ENABLED
  uint64_t time_running_ns = 0;  // valid if the format has PERF_FORMAT_TOTAL_TIME_RUNNING

 private:
  uint64_t format_ = 0;
  size_t size_ = 0;
  ReadValue single_;
  U64View group_;
};

[[nodiscard]] ReadValues decode_read_values(ByteReader& in, uint64_t format);
// Writes the values in the layout of `format`; fields that `values` lacks are zero.
void encode_read_values(const ReadValues& values, uint64_t format, ByteWriter& out);

}  // namespace hm::record
