// SPDX-License-Identifier: MIT
#include "record/perf_data_sink.h"

#include "record/whole_records.h"

namespace hm::record {
namespace {

bool is_count(uint32_t type) {
  return type == PERF_RECORD_READ || type == PERF_RECORD_LOST || type == PERF_RECORD_LOST_SAMPLES;
}

}  // namespace

Status PerfDataSink::begin(const RecordingStart& start) {
  Result<Writer> writer = Writer::create(
      path_, start.events, start.features,
      {.compression_level = options_.compression_level,
       .keeps_newest_description = start.has_descriptions && has_room_for_description(options_.max_bytes)});
  if (!writer) return writer.error();
  writer_ = *std::move(writer);
  return {};
}

Status PerfDataSink::append(Bytes whole_records) {
  if (options_.max_bytes == 0) return writer_->append(whole_records);
  if (is_finished_round(whole_records)) return append_round(whole_records);
  if (is_full_) return append_counts(whole_records);
  Bytes first = that_fits(whole_records);
  if (!first.empty()) {
    if (Status written = writer_->append(first); !written) return written;
  }
  is_full_ = first.size() < whole_records.size();
  return is_full_ ? append_counts(whole_records.subspan(first.size())) : Status();
}

// Returns the records that still fit. The compressed size is not known in advance, so with compression all
// records fit while any room is left.
Bytes PerfDataSink::that_fits(Bytes whole_records) const {
  uint64_t written = writer_->file_bytes();
  uint64_t room = options_.max_bytes > written ? options_.max_bytes - written : 0;
  if (options_.compression_level != 0) return room != 0 ? whole_records : Bytes();
  size_t fits = 0;
  bool is_room = true;
  for_each_record(whole_records, [&](const perf_event_header&, Bytes record) {
    is_room = is_room && fits + record.size() <= room;
    if (is_room) fits += record.size();
  });
  return whole_records.first(fits);
}

Status PerfDataSink::append_round(Bytes finished_round) {
  if (is_full_ && !has_new_counts_) return {};
  has_new_counts_ = false;
  return writer_->append(finished_round);
}

Status PerfDataSink::append_counts(Bytes whole_records) {
  ByteWriter counts;
  for_each_record(whole_records, [&](const perf_event_header& header, Bytes record) {
    if (is_count(header.type)) counts.append(record);
    if (header.type == PERF_RECORD_SAMPLE) ++dropped_samples_;
  });
  if (counts.size() == 0) return {};
  has_new_counts_ = true;
  return writer_->append(counts.bytes());
}

}  // namespace hm::record
