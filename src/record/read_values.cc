// SPDX-License-Identifier: MIT
#include "record/read_values.h"

#include <linux/perf_event.h>

namespace hm::record {
namespace {

ReadValues decode_group(ByteReader& in, uint64_t format) {
  uint64_t count = in.u64();
  uint64_t enabled = (format & PERF_FORMAT_TOTAL_TIME_ENABLED) != 0 ? in.u64() : 0;
  uint64_t running = (format & PERF_FORMAT_TOTAL_TIME_RUNNING) != 0 ? in.u64() : 0;
  bool plausible = count <= in.remaining() / sizeof(uint64_t);  // the product below cannot overflow
  ReadValues values(format, take_words(in, plausible ? count * ReadValues::words_per_value(format) : count));
  values.time_enabled_ns = enabled;
  values.time_running_ns = running;
  return values;
}

ReadValues decode_single(ByteReader& in, uint64_t format) {
  ReadValue value{.value = in.u64()};
  uint64_t enabled = (format & PERF_FORMAT_TOTAL_TIME_ENABLED) != 0 ? in.u64() : 0;
  uint64_t running = (format & PERF_FORMAT_TOTAL_TIME_RUNNING) != 0 ? in.u64() : 0;
  if ((format & PERF_FORMAT_ID) != 0) value.id = in.u64();
  if ((format & PERF_FORMAT_LOST) != 0) value.lost = in.u64();
  ReadValues values(format, value);
  values.time_enabled_ns = enabled;
  values.time_running_ns = running;
  return values;
}

}  // namespace

size_t ReadValues::words_per_value(uint64_t format) {
  return 1 + ((format & PERF_FORMAT_ID) != 0) + ((format & PERF_FORMAT_LOST) != 0);
}

ReadValue ReadValues::operator[](size_t index) const {
  if ((format_ & PERF_FORMAT_GROUP) == 0) return single_;
  size_t word = index * words_per_value(format_);
  ReadValue value{.value = group_[word++]};
  if ((format_ & PERF_FORMAT_ID) != 0) value.id = group_[word++];
  if ((format_ & PERF_FORMAT_LOST) != 0) value.lost = group_[word];
  return value;
}

ReadValues decode_read_values(ByteReader& in, uint64_t format) {
  return (format & PERF_FORMAT_GROUP) != 0 ? decode_group(in, format) : decode_single(in, format);
}

void encode_read_values(const ReadValues& values, uint64_t format, ByteWriter& out) {
  bool group = (format & PERF_FORMAT_GROUP) != 0;
  auto first = values.size() == 0 ? ReadValue{} : values[0];
  auto identity = [&](const ReadValue& value) {
    if ((format & PERF_FORMAT_ID) != 0) out.u64(value.id);
    if ((format & PERF_FORMAT_LOST) != 0) out.u64(value.lost);
  };
  out.u64(group ? values.size() : first.value);
  if ((format & PERF_FORMAT_TOTAL_TIME_ENABLED) != 0) out.u64(values.time_enabled_ns);
  if ((format & PERF_FORMAT_TOTAL_TIME_RUNNING) != 0) out.u64(values.time_running_ns);
  if (!group) {
    identity(first);
    return;
  }
  for (size_t i = 0; i < values.size(); ++i) {
    out.u64(values[i].value);
    identity(values[i]);
  }
}

}  // namespace hm::record
