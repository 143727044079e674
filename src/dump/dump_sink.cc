// SPDX-License-Identifier: MIT
#include "dump/dump_sink.h"

#include <fmt/chrono.h>
#include <fmt/ranges.h>
#include <sys/mman.h>

#include <cstring>
#include <ctime>

#include "base/local_time.h"
#include "record/comm.h"
#include "record/extension.h"
#include "record/lost.h"
#include "record/mmap.h"
#include "record/read.h"
#include "record/run_description.h"
#include "record/sample.h"
#include "record/task.h"

namespace hm::dump {
namespace {

std::string now() { return fmt::format("{:%Y-%m-%d %H:%M:%S %z}", local_time(std::time(nullptr))); }

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
  header.caches = features.caches;
  // Replaced at the end if samples have periods of their own.
  if (uint64_t period = event.attr.freq == 0 ? event.attr.sample_period : 0; period != 0)
    header.events_per_sample = Period{period, period, period};
  header.sample_type = modes_of(event.attr);
  header.max_samples = options.max_samples;
  header.file = options.path == "-" ? "standard output" : options.path;
  return header;
}

// Returns the number of events in the whole run; nullopt if the run description does not contain it.
std::optional<uint64_t> total_in(const nlohmann::json& run, const std::string& event) {
  auto totals = run.find("totals");
  if (totals == run.end() || !totals->is_object()) return std::nullopt;
  auto found = totals->find(event);
  return found != totals->end() && found->is_number_unsigned() ? std::optional(found->get<uint64_t>())
                                                               : std::nullopt;
}

std::string part_text(uint64_t part, uint64_t whole) {
  return fmt::format("{:.2g} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
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

// Mappings in a dump have no times; they apply to the samples after them. A mapping may come from another
// ring than its samples. All samples of a round are therefore written after the round's other records.
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
  switch (record.type) {
    case PERF_RECORD_SAMPLE:
      return take_sample(record);
    case PERF_RECORD_READ:
      return take_read(record);
    case PERF_RECORD_LOST:
    case PERF_RECORD_LOST_SAMPLES:
      if (auto lost = record::decode_lost(record); lost.ok() && dropped_) *dropped_ += lost->count;
      return;
    default:
      if (!is_full()) take_change(record);
  }
}

// Changes to processes after the last sample are irrelevant to all samples.
void DumpSink::take_change(const record::Record& record) {
  switch (record.type) {
    case PERF_RECORD_MMAP:
    case PERF_RECORD_MMAP2:
      return take_mmap(record);
    case PERF_RECORD_FORK:
      if (auto task = record::decode_task(record); task.ok() && task->pid != task->parent_pid)
        writer_->fork({task->pid, task->parent_pid});
      return;
    case PERF_RECORD_COMM:
      return take_comm(record);
    default:
      return;
  }
}

void DumpSink::take_mmap(const record::Record& record) {
  auto mmap = record::decode_mmap(record);
  if (!mmap.ok() || mmap->length == 0) return;
  Mapping mapping{mmap->pid, mmap->address, mmap->address + mmap->length, mmap->file_offset,
                  std::string(mmap->path)};
  if (!mmap->executable) {
    bool shared = mmap->identity && (mmap->flags & MAP_TYPE) != MAP_PRIVATE && mmap->flags != 0;
    mapping.data = DataPages{mmap->protection.value_or(PROT_READ), shared,
                             mmap->identity.value_or(record::FileIdentity())};
  }
  writer_->mapping(mapping);
}

void DumpSink::take_comm(const record::Record& record) {
  auto comm = record::decode_comm(record);
  if (!comm.ok()) return;
  if (comm->by_exec) writer_->exec({comm->pid, std::string(comm->name)});
  writer_->name({comm->pid, comm->tid}, comm->name);
}

void DumpSink::take_read(const record::Record& record) {
  std::optional<size_t> event = index_.of_record(record);
  if (!event || events_[*event].name == record::kHeapSiteEvent) return;
  auto read = record::decode_read(record, events_[*event].attr.read_format);
  if (!read.ok() || read->values.size() != 1) return;
  writer_->counted({{read->pid, read->tid},
                    read->values[0].value,
                    read->values.time_enabled_ns,
                    read->values.time_running_ns});
}

void DumpSink::take_sample(const record::Record& record, std::optional<uint64_t> events) {
  std::optional<size_t> event = index_.of_record(record);
  if (!event) return;
  auto sample = record::decode_sample(events_[*event].attr, record.payload, record.swap);
  if (!sample.ok()) return;
  bool is_site = events_[*event].name == record::kHeapSiteEvent;
  if (!is_site && is_full()) ++left_out_;
  if (is_full()) return;
  if (is_site) {
    if (std::optional<HeapSite> site = heap_site_of(*sample)) writer_->heap_site(*site);
    return;
  }
  sample_bytes_ = record::kRecordHeaderBytes + record.payload.size();
  Sample taken = sample_of(*sample);
  if (events) taken.details.period = *events;
  add_to_extent(taken.details);
  writer_->sample(taken);
}

void DumpSink::add_to_extent(const Details& details) {
  if (details.time_ns) {
    first_ns_ = std::min(first_ns_.value_or(*details.time_ns), *details.time_ns);
    last_ns_ = std::max(last_ns_.value_or(0), *details.time_ns);
  }
  if (!details.period) return;
  uint64_t period = *details.period;
  if (!periods_) periods_ = Period{0, period, period};
  periods_->min = std::min(periods_->min, period);
  periods_->max = std::max(periods_->max, period);
  period_sum_ += period;
  ++samples_with_period_;
}

std::optional<Period> DumpSink::events_per_sample() const {
  if (!periods_) return std::nullopt;
  return Period{(period_sum_ + samples_with_period_ / 2) / samples_with_period_, periods_->min,
                periods_->max};
}

// The software PMU goes on counting after sampling has stopped. The kernel's counters stop together with the
// samples, so only time shows which part of the run was sampled.
std::string DumpSink::find_limit(const nlohmann::json& run) const {
  if (!is_full()) return {};
  if (options_.gets_all_samples)
    return left_out_ == 0 ? "" : fmt::format("the first {} of {} samples", samples(), samples() + left_out_);
  std::string stopped = fmt::format("stopped at {} samples", samples());
  if (std::optional<uint64_t> total = total_in(run, events_.front().name)) {
    uint64_t later = *total - std::min(period_sum_, *total);
    if (later < events_per_sample().value_or(Period()).mean) return {};
    return fmt::format("{}: the first {} of {} events; later events are counted but not sampled", stopped,
                       part_text(period_sum_, *total), *total);
  }
  uint64_t elapsed_ns = record::number_in(run, "elapsed_ns");
  if (!first_ns_ || elapsed_ns <= *last_ns_ - *first_ns_) return stopped + "; the rest was not measured";
  return fmt::format("{}: about {} of {:.2g} s; the rest was not measured", stopped,
                     part_text(*last_ns_ - *first_ns_, elapsed_ns), static_cast<double>(elapsed_ns) / 1e9);
}

Status DumpSink::finish(const record::Features& features) {
  Status taken = take_round();
  nlohmann::json run = record::run_description(features);
  limit_ = find_limit(run);
  if (features.cpu_id) run[kCpuId] = *features.cpu_id;
  if (!limit_.empty()) {
    if (!run["shortfalls"].is_array()) run["shortfalls"] = nlohmann::json::array();
    run["shortfalls"].push_back(limit_);
  }
  Ending ending{.dropped = dropped_,
                .samples_to_buffer = {},
                .events_per_sample = events_per_sample(),
                .extent = limit_.empty() ? "all" : limit_,
                .run = run.empty() ? std::string() : json_line(run),
                .build_ids = features.build_ids};
  if (ring_bytes_ != 0 && sample_bytes_ != 0) ending.samples_to_buffer = ring_bytes_ / sample_bytes_;
  Status finished = writer_->finish(ending);
  return taken ? finished : taken;
}

}  // namespace hm::dump
