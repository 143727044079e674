// SPDX-License-Identifier: MIT
#include "profile/segment_loader.h"

#include <algorithm>
#include <utility>

#include "profile/sample_rows.h"
#include "profile/sample_writer.h"

namespace hm::profile {
namespace {

constexpr size_t kPrefetchDistance = 8;  // in records; values from 4 to 16 perform equally

class SegmentLoader {
 public:
  SegmentLoader(const Recording& recording, ProcessTable processes)
      : recording_(recording),
        processes_(std::move(processes)),
        writer_(recording, processes_, segment_),
        rows_(recording.reader) {}

  Segment load(size_t begin, size_t end) {
    writer_.reserve(end - begin);
    auto change = std::ranges::lower_bound(recording_.changes, begin, {}, &Change::position);
    for (size_t position = begin; position < end; ++position) {
      for (; change != recording_.changes.end() && change->position == position; ++change) apply(*change);
      if (position + kPrefetchDistance < end)
        recording_.index.records[position + kPrefetchDistance].prefetch();
      const IndexedRecord& indexed = recording_.index.records[position];
      if (indexed.is_sample()) take(indexed.record(recording_.index.swap));
    }
    segment_.reads = rows_.take_reads();
    return std::move(segment_);
  }

 private:
  void apply(const Change& change) {
    (void)processes_.apply(change);
    writer_.forget_processes();
  }

  void take(const record::Record& record) {
    std::optional<size_t> event = recording_.reader.event_of(record);
    if (!event) {
      ++segment_.samples_of_no_event;
      return;
    }
    const perf_event_attr& attr = recording_.reader.events()[*event].attr;
    Result<record::Sample> sample = record::decode_sample(attr, record.payload, record.swap);
    if (!sample.ok()) {
      ++segment_.damaged_samples;
    } else if (*event == recording_.heap_site_event) {
      if (recording_.needs.details) writer_.add_heap_site(static_cast<uint32_t>(*event), *sample);
    } else if (*event == recording_.occupancy_event) {
      take_occupancy(*sample, record.swap);
    } else {
      segment_.trace_bytes += sample->aux.size();
      segment_.samples_of_no_event += rows_.visit(*event, *sample, [&](size_t counted) {
        writer_.add(static_cast<uint32_t>(counted), record.misc, *sample);
      });
    }
  }

  void take_occupancy(const record::Sample& sample, bool swap) {
    std::optional<record::OccupancyReading> reading = record::decode_occupancy(sample.raw, swap);
    if (reading) {
      segment_.occupancy.push_back({sample.time_ns, sample.pid, *std::move(reading)});
    } else {
      ++segment_.damaged_samples;
    }
  }

  const Recording& recording_;
  ProcessTable processes_;
  Segment segment_;
  SampleWriter writer_;
  SampleRows rows_;
};

}  // namespace

Segment load_segment(const Recording& recording, size_t begin, size_t end, ProcessTable processes) {
  return SegmentLoader(recording, std::move(processes)).load(begin, end);
}

}  // namespace hm::profile
