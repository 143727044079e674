// SPDX-License-Identifier: MIT
#include "record/writer.h"

#include <algorithm>
#include <string_view>

#include "record/event_records.h"
#include "record/feature_sections.h"
#include "record/perf_record.h"
#include "record/whole_records.h"

namespace hm::record {
namespace {

// Encodes the events for a pipe, which has no file header. Their names do not fit into HEADER_ATTR and follow
// as EVENT_UPDATE records.
Status encode_events(const std::vector<EventDescription>& events, ByteWriter& out) {
  for (const EventDescription& event : events) {
    Status attr = encode_header_attr(event, out);
    if (!attr.ok()) return attr;
    if (event.name.empty() || event.ids.empty()) continue;
    ByteWriter payload;
    encode_event_update({.kind = kUpdateName, .id = event.ids.front(), .text = event.name}, payload);
    Status update = append_record(out, kEventUpdate, 0, payload.bytes());
    if (!update.ok()) return update;
  }
  return {};
}

// Returns the table of sections that follows the data, and the sections. Sets their bits in the header.
std::vector<std::byte> encode_feature_sections(const std::map<unsigned, std::vector<std::byte>>& sections,
                                               FileHeader& header) {
  std::vector<std::byte> out = encode_feature_table({sections.begin(), sections.end()}, header);
  for (const auto& [bit, section] : sections) out.insert(out.end(), section.begin(), section.end());
  return out;
}

// Returns the early features (file_header.h) for a file position of `offset`.
std::vector<std::byte> encode_early_features(const std::map<unsigned, std::vector<std::byte>>& sections,
                                             uint64_t offset) {
  FileHeader early;
  early.data.offset = offset + kEarlyFeaturesBytes;
  std::vector<std::byte> table_and_sections = encode_feature_sections(sections, early);
  ByteWriter out;
  out.u64(kEarlyFeaturesMagic);
  for (uint64_t word : early.features) out.u64(word);
  out.append(table_and_sections);
  while (out.size() % sizeof(uint64_t) != 0) out.u8(0);
  return std::move(out).take();
}

}  // namespace

Result<Writer> Writer::create(const std::string& path, std::vector<EventDescription> events,
                              const Features& known, const WriterOptions& options) {
  if (events.empty())
    return make_error(ErrorCode::kInvalidArgument, "cannot record to {}: no event was given", path);
  for (EventDescription& event : events) event.attr.size = sizeof event.attr;
  Result<Output> output = Output::create(path);
  if (!output.ok()) return std::move(output).error();
  Writer writer(std::move(*output), std::move(events));
  if (options.compression_level != 0) writer.compressor_.emplace(options.compression_level);
  Status begun = writer.output_.is_file() ? writer.begin_file(known, options) : writer.begin_pipe();
  if (!begun.ok()) return begun.error();
  return writer;
}

// Writes the header, the events' ids, the events, the early features, and the slots of the newest
// description; the data follows.
Status Writer::begin_file(const Features& known, const WriterOptions& options) {
  ByteWriter ids;
  ByteWriter attrs;
  for (const EventDescription& event : events_) {
    attrs.write(event.attr);
    attrs.u64(kFileHeaderBytes + ids.size());
    attrs.u64(event.ids.size() * sizeof(uint64_t));
    for (uint64_t id : event.ids) ids.u64(id);
  }
  header_.attrs = {.offset = kFileHeaderBytes + ids.size(), .bytes = attrs.size()};
  uint64_t attrs_end = header_.attrs.offset + attrs.size();
  std::vector<std::byte> early =
      encode_early_features(encode_features(with_compression(known), events_), attrs_end);
  newest_offset_ = attrs_end + early.size();
  if (options.keeps_newest_description) newest_.emplace(known.hardmeter.value_or(""));
  std::vector<std::byte> slots = newest_ ? newest_->empty() : std::vector<std::byte>();
  header_.data = {.offset = newest_offset_ + slots.size(), .bytes = 0};
  ByteWriter out;
  encode_file_header(header_, out);
  out.append(ids.bytes());
  out.append(attrs.bytes());
  out.append(early);
  out.append(slots);
  return output_.write(out.bytes());
}

void Writer::describe(std::string_view hardmeter) {
  if (!newest_) return;
  auto pieces = newest_->update(hardmeter);
  if (!pieces) return;
  for (const NewestDescription::Piece& piece : *pieces) {
    if (Status written = output_.write_at(newest_offset_ + piece.offset, piece.bytes); !written.ok()) return;
  }
}

Status Writer::begin_pipe() {
  header_.is_pipe = true;
  ByteWriter out;
  encode_file_header(header_, out);
  if (Status events = encode_events(events_, out); !events.ok()) return events;
  if (compressor_) {  // perf needs this before the first record
    std::vector<std::byte> section = encode_features(with_compression({}), events_).at(kFeatureCompressed);
    if (Status told = encode_feature_record({kFeatureCompressed, section}, out); !told.ok()) return told;
  }
  return output_.write(out.bytes());
}

Features Writer::with_compression(const Features& features) const {
  Features own = features;
  own.compression.reset();
  if (compressor_) own.compression = compressor_->info();
  return own;
}

Status Writer::append(Bytes whole_records) {
  if (is_finished_round(whole_records)) return append_round(whole_records);
  return compressor_ ? append_compressed(whole_records) : write_records(whole_records);
}

// perf sorts records by time and gives out those of the round before at each FINISHED_ROUND. A process that
// loses its CPU between a record's time and the record itself must not be later than that.
Status Writer::append_round(Bytes finished_round) {
  constexpr std::chrono::milliseconds kMinRound(100);
  if (Status flushed = flush(); !flushed.ok()) return flushed;
  auto now = std::chrono::steady_clock::now();
  if (now - last_round_ < kMinRound) return {};
  last_round_ = now;
  return write_records(finished_round);
}

Status Writer::append_compressed(Bytes whole_records) {
  if (!failure_.ok()) return failure_;
  ByteWriter out;
  failure_ = compressor_->add(whole_records, out);
  return failure_.ok() && out.size() != 0 ? write_records(out.bytes()) : failure_;
}

Status Writer::flush() {
  if (!compressor_ || !failure_.ok()) return failure_;
  ByteWriter out;
  failure_ = compressor_->flush(out);
  return failure_.ok() && out.size() != 0 ? write_records(out.bytes()) : failure_;
}

Status Writer::write_records(Bytes whole_records) {
  if (!failure_.ok()) return failure_;
  failure_ = output_.write(whole_records);
  if (failure_.ok()) {
    data_bytes_ += whole_records.size();
  } else if (output_.is_file()) {
    (void)output_.cut_at(header_.data.offset +
                         data_bytes_);  // if this fails, a reader finds a truncated last record
  }
  return failure_;
}

Status Writer::finish(const Features& features) {
  (void)flush();           // an error stays in failure_
  if (data_bytes_ == 0) {  // a size of 0 means "not finished": add a record
    ByteWriter round;
    Status appended = append_record(round, kFinishedRound, 0, {});
    if (appended.ok()) appended = write_records(round.bytes());
    if (!appended.ok()) return appended;
  }
  Status finished = output_.is_file() ? finish_file(features) : finish_pipe(features);
  Status closed = output_.close();
  if (!failure_.ok()) return failure_;
  return finished.ok() ? closed : finished;
}

// This order keeps the recording readable at every moment: the header gets the end of the data, then the
// features are written, then the header gets their bits.
Status Writer::finish_file(const Features& features) {
  header_.data.bytes = data_bytes_;
  Status sized = write_header();
  if (!sized.ok() || !failure_.ok()) return sized;  // no features: shows that data is missing
  std::vector<std::byte> sections =
      encode_feature_sections(encode_features(with_compression(features), events_), header_);
  Status written = output_.write(sections);
  if (written.ok()) return write_header();
  (void)output_.cut_at(header_.data.offset + data_bytes_);
  return written;
}

Status Writer::finish_pipe(const Features& features) {
  ByteWriter out;
  encode_feature_records(with_compression(features), events_, out);
  return output_.write(out.bytes());
}

Status Writer::write_header() {
  ByteWriter out;
  encode_file_header(header_, out);
  return output_.write_at(0, out.bytes());
}

}  // namespace hm::record
