// SPDX-License-Identifier: MIT
#include "app/llc/occupancy_recorder.h"

#include <cmath>

#include "record/occupancy_record.h"
#include "record/perf_record.h"

namespace hm::llc {
namespace {

record::OccupancyReading reading_of(const occupancy::Snapshot& snapshot, const occupancy::Row& row) {
  record::OccupancyReading reading;
  reading.name = row.name;
  if (row.pid) reading.name += " [" + std::to_string(*row.pid) + "]";
  reading.is_modelled = snapshot.is_modelled;
  reading.cache_bytes = snapshot.cache_bytes;
  bool is_of_now = row.age_ns == 0;
  if (is_of_now) reading.occupancy_bytes = row.occupancy_bytes;
  if (is_of_now && row.total_bytes_per_s)
    reading.total_bytes_per_s = static_cast<uint64_t>(std::llround(*row.total_bytes_per_s));
  return reading;
}

}  // namespace

Status OccupancyRecorder::round(uint64_t now_ns, const pmu::Sink& sink) {
  if (now_ns < due_ns_) return {};
  due_ns_ = now_ns + every_ns_;
  return write(now_ns, sink);
}

Status OccupancyRecorder::write(uint64_t now_ns, const pmu::Sink& sink) {
  const perf_event_attr attr = record::occupancy_event(kOccupancyEventId).attr;
  occupancy::Snapshot snapshot = monitor_.refresh(now_ns);
  ByteWriter records;
  for (const occupancy::Row& row : snapshot.rows) {
    std::vector<std::byte> payload;
    record::Sample sample = record::occupancy_sample(reading_of(snapshot, row), payload);
    sample.id = kOccupancyEventId;
    sample.pid = sample.tid = static_cast<uint32_t>(row.pid.value_or(0));
    sample.time_ns = now_ns;
    size_t start = records.size();
    records.write(perf_event_header{PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 0});
    record::encode_sample(attr, sample, records);
    records.patch(start + offsetof(perf_event_header, size), static_cast<uint16_t>(records.size() - start));
  }
  return records.size() == 0 ? Status() : sink(records.bytes());
}

}  // namespace hm::llc
