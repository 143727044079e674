// SPDX-License-Identifier: MIT
#include "profile/timed_records.h"

#include <algorithm>

#include "record/sample.h"
#include "record/sample_id.h"

namespace hm::profile {

TimedRecord with_time(const record::Reader& reader, const record::Record& record, uint64_t previous_time_ns) {
  TimedRecord timed{record, previous_time_ns, 0, false};
  if (std::optional<size_t> event = reader.event_of(record); event.has_value()) {
    timed.event = static_cast<uint32_t>(*event);
    timed.event_known = true;
  }
  if (reader.events().empty()) return timed;
  const perf_event_attr& attr = reader.events()[timed.event].attr;
  if (record.type == PERF_RECORD_SAMPLE) {
    Result<record::Sample> sample = record::decode_sample(attr, record.payload, record.swap);
    if (sample.ok() && sample->has(PERF_SAMPLE_TIME)) timed.time_ns = sample->time_ns;
  } else if (record::SampleId id = record::decode_sample_id(attr, record);
             (id.type & PERF_SAMPLE_TIME) != 0) {
    timed.time_ns = id.time_ns;
  }
  return timed;
}

void sort_by_time(std::vector<TimedRecord>& records) {
  auto earlier = [](const TimedRecord& a, const TimedRecord& b) { return a.time_ns < b.time_ns; };
  if (!std::ranges::is_sorted(records, earlier)) std::ranges::stable_sort(records, earlier);
}

}  // namespace hm::profile
