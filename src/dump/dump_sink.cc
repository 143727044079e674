// SPDX-License-Identifier: MIT
#include "dump/dump_sink.h"

#include <fmt/chrono.h>
#include <fmt/ranges.h>

#include <cstring>
#include <ctime>

#include "record/comm.h"
#include "record/extension.h"
#include "record/lost.h"
#include "record/mmap.h"
#include "record/run_description.h"
#include "record/sample.h"
#include "record/task.h"

namespace hm::dump {
namespace {

std::string now() { return fmt::format("{:%Y-%m-%d %H:%M:%S %z}", fmt::localtime(std::time(nullptr))); }

std::string modes_of(const perf_event_attr& attr) {
  if (attr.exclude_kernel != 0) return "user";
  return attr.exclude_user != 0 ? "kernel" : "user and kernel";
}

std::string counter_of(const perf_event_attr& attr, const nlohmann::json& json) {
  if (std::string counter = record::text_in(json, "counter"); !counter.empty()) return counter;
  if (record::text_in(json, "pmu") == "software")
    return fmt::format("software PMU ({}): {}", record::text_in(json, "engine"),
                       record::text_in(json, "machine"));
  return fmt::format("perf_event_open: type {}, config {:#x}, precise_ip {}", attr.type, attr.config,
                     static_cast<unsigned>(attr.precise_ip));
}

Header header_of(const record::EventDescription& event, const record::Features& features,
                 const DumpOptions& options) {
  nlohmann::json json = record::run_description(features);
  Header header;
  header.date = now();
  header.command =
      options.command.empty() ? fmt::format("{}", fmt::join(features.cmdline, " ")) : options.command;
  header.event = event.name;
  header.pmu = record::text_in(json, "pmu");
  header.precise = event.attr.precise_ip != 0;
  header.counter = counter_of(event.attr, json);
  if (event.attr.freq == 0 && event.attr.sample_period != 0)
    header.events_per_sample = event.attr.sample_period;
  header.sample_type = modes_of(event.attr);
  header.max_samples = options.most_samples;
  header.file = options.path == "-" ? "standard output" : options.path;
  return header;
}

template <typename Take>
void for_each_record(Bytes whole_records, Take&& take) {
  while (whole_records.size() >= sizeof(perf_event_header)) {
    perf_event_header header;
    std::memcpy(&header, whole_records.data(), sizeof header);
    if (header.size < sizeof header || header.size > whole_records.size()) return;
    take(record::Record{header.type, header.misc, false,
                        whole_records.subspan(sizeof header, header.size - sizeof header), 0});
    whole_records = whole_records.subspan(header.size);
  }
}

}  // namespace

Status DumpSink::begin(const record::RecordingStart& start) {
  events_ = start.events;
  ring_bytes_ = start.ring_bytes;
  many_rings_ = start.many_rings;
  index_ = record::EventIndex(events_);
  Result<Writer> writer = Writer::create(options_.path, header_of(events_.front(), start.features, options_));
  if (!writer) return writer.error();
  writer_ = *std::move(writer);
  return {};
}

Status DumpSink::append(Bytes whole_records) {
  if (!many_rings_) {
    for_each_record(whole_records, [&](const record::Record& record) { take(record); });
    return writer_->flush();
  }
  round_.insert(round_.end(), whole_records.begin(), whole_records.end());
  perf_event_header header{};
  if (whole_records.size() >= sizeof header) std::memcpy(&header, whole_records.data(), sizeof header);
  return header.type == record::kFinishedRound ? take_round() : Status();
}

// A dump has no times. So that no sample comes before the mapping that it lies in, which another ring has
// told of, the samples of a round follow all else.
Status DumpSink::take_round() {
  for (bool samples : {false, true}) {
    for_each_record(round_, [&](const record::Record& record) {
      if ((record.type == PERF_RECORD_SAMPLE) == samples) take(record);
    });
  }
  round_.clear();
  return writer_->flush();
}

void DumpSink::take(const record::Record& record) {
  bytes_ += record::kRecordHeaderBytes + record.payload.size();
  bool is_loss = record.type == PERF_RECORD_LOST || record.type == PERF_RECORD_LOST_SAMPLES;
  if (is_full() && !is_loss) return;
  switch (record.type) {
    case PERF_RECORD_SAMPLE:
      return take_sample(record);
    case PERF_RECORD_MMAP:
    case PERF_RECORD_MMAP2:
      if (auto mmap = record::decode_mmap(record); mmap.ok() && mmap->executable && mmap->length != 0)
        writer_->mapping({mmap->pid, mmap->address, mmap->address + mmap->length, mmap->file_offset,
                          std::string(mmap->path)});
      return;
    case PERF_RECORD_FORK:
      if (auto task = record::decode_task(record); task.ok() && task->pid != task->parent_pid)
        writer_->fork({task->pid, task->parent_pid});
      return;
    case PERF_RECORD_COMM:
      if (auto comm = record::decode_comm(record); comm.ok())
        writer_->name({comm->pid, comm->tid}, comm->name);
      return;
    case PERF_RECORD_LOST:
    case PERF_RECORD_LOST_SAMPLES:
      if (auto lost = record::decode_lost(record); lost.ok() && dropped_) *dropped_ += lost->count;
      return;
    default:
      return;
  }
}

void DumpSink::take_sample(const record::Record& record) {
  std::optional<size_t> event = index_.of_record(record);
  if (!event || events_[*event].name == record::kHeapSiteEvent) return;
  sample_bytes_ = record::kRecordHeaderBytes + record.payload.size();
  auto sample = record::decode_sample(events_[*event].attr, record.payload, record.swap);
  if (sample.ok()) writer_->sample(sample_of(*sample));
}

Status DumpSink::finish(const record::Features&) {
  Ending ending{.dropped = dropped_, .samples_to_buffer = {}};
  if (ring_bytes_ != 0 && sample_bytes_ != 0) ending.samples_to_buffer = ring_bytes_ / sample_bytes_;
  Status taken = take_round();
  Status finished = writer_->finish(ending);
  return taken ? finished : taken;
}

}  // namespace hm::dump
