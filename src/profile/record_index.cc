// SPDX-License-Identifier: MIT
#include "profile/record_index.h"

#include <algorithm>
#include <bit>
#include <span>

#include "base/parallel.h"
#include "record/sample.h"
#include "record/sample_id.h"

namespace hm::profile {
namespace {

using Iterator = std::vector<IndexedRecord>::iterator;

bool earlier(const IndexedRecord& a, const IndexedRecord& b) { return a.time_ns() < b.time_ns(); }

// Returns the offset of the time, which follows these fields in every sample: perf_event_open(2),
// "PERF_RECORD_SAMPLE".
size_t time_offset(uint64_t sample_type) {
  uint64_t before = sample_type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID);
  return sizeof(uint64_t) * static_cast<size_t>(std::popcount(before));
}

std::optional<size_t> common_time_offset(const std::vector<record::EventDescription>& events) {
  std::optional<size_t> common;
  for (const record::EventDescription& event : events) {
    uint64_t sample_type = event.attr.sample_type;
    bool agrees = !common || *common == time_offset(sample_type);
    if ((sample_type & PERF_SAMPLE_TIME) == 0 || !agrees) return std::nullopt;
    common = time_offset(sample_type);
  }
  return common;
}

// Merges two adjacent sorted runs. Rings overlap little in time, so only the overlapping part is moved.
void merge(Iterator begin, Iterator middle, Iterator end) {
  if (begin == middle || middle == end || !earlier(*middle, *std::prev(middle))) return;
  Iterator from = std::upper_bound(begin, middle, *middle, earlier);
  Iterator to = std::lower_bound(middle, end, *std::prev(middle), earlier);
  std::inplace_merge(from, middle, to, earlier);
}

// Merges sorted runs that follow each other up to `end`; `starts` are their beginnings.
void merge_runs(std::vector<Iterator> starts, Iterator end) {
  while (starts.size() > 1) {
    std::vector<Iterator> merged;
    for (size_t i = 0; i < starts.size(); i += 2) {
      if (i + 1 < starts.size()) merge(starts[i], starts[i + 1], i + 2 < starts.size() ? starts[i + 2] : end);
      merged.push_back(starts[i]);
    }
    starts = std::move(merged);
  }
}

void sort_runs(Iterator begin, Iterator end) {
  std::vector<Iterator> starts;
  for (Iterator run = begin; run != end; run = std::is_sorted_until(run, end, earlier)) starts.push_back(run);
  merge_runs(std::move(starts), end);
}

}  // namespace

record::Record IndexedRecord::record(bool swap) const {
  const auto* header = reinterpret_cast<const std::byte*>(tagged_ >> 1);
  ByteReader in(Bytes(header, record::kRecordHeaderBytes), swap);
  record::Record record{.type = in.u32(), .misc = in.u16(), .swap = swap};
  record.payload = Bytes(header, in.u16()).subspan(record::kRecordHeaderBytes);
  return record;
}

RecordTimes::RecordTimes(const record::Reader& reader)
    : reader_(reader), sample_offset_(common_time_offset(reader.events())) {}

uint64_t RecordTimes::of(const record::Record& record) {
  bool at_known_place = record.type == PERF_RECORD_SAMPLE && sample_offset_ &&
                        record.payload.size() >= *sample_offset_ + sizeof(uint64_t);
  if (at_known_place)
    time_ns_ = ByteReader(record.payload.subspan(*sample_offset_), record.swap).u64();
  else
    decode(record);
  return time_ns_;
}

void RecordTimes::decode(const record::Record& record) {
  const std::vector<record::EventDescription>& events = reader_.events();
  if (events.empty()) return;
  const perf_event_attr& attr = events[reader_.event_of(record).value_or(0)].attr;
  if (record.type == PERF_RECORD_SAMPLE) {
    Result<record::Sample> sample = record::decode_sample(attr, record.payload, record.swap);
    if (sample.ok() && sample->has(PERF_SAMPLE_TIME)) time_ns_ = sample->time_ns;
  } else if (record::SampleId id = record::decode_sample_id(attr, record);
             (id.type & PERF_SAMPLE_TIME) != 0) {
    time_ns_ = id.time_ns;
  }
}

void sort_by_time(std::vector<IndexedRecord>& records, size_t workers) {
  size_t pieces = std::max<size_t>(workers, 1);
  std::vector<Iterator> starts;
  for (size_t i = 0; i < pieces; ++i)
    starts.push_back(records.begin() + static_cast<ptrdiff_t>(records.size() * i / pieces));
  parallel_for(pieces, workers,
               [&](size_t i) { sort_runs(starts[i], i + 1 < pieces ? starts[i + 1] : records.end()); });
  merge_runs(std::move(starts), records.end());
}

}  // namespace hm::profile
