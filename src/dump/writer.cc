// SPDX-License-Identifier: MIT
#include "dump/writer.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <span>

#include "base/hex.h"

namespace hm::dump {
namespace {

// Widths of header values that are only known at the end, so that they can be overwritten in place.
constexpr int kCountWidth = 20;
constexpr int kPeriodWidth = 70;
constexpr int kExtentWidth = 120;

// Size of the pieces into which a long line is split; the reader treats a line of 64 KiB as damaged.
constexpr size_t kPieceBytes = size_t{16} << 10;

Bytes bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

// Escapes the text so that it fits on one line, in the style of paths in /proc/PID/maps.
std::string line_of(std::string_view text) {
  constexpr size_t kMaxBytes = 4096;  // longer lines would be treated as damaged by the reader
  std::string line;
  for (char each : text.substr(0, kMaxBytes)) {
    bool plain = static_cast<unsigned char>(each) >= ' ' && each != '\\' && each != '\x7f';
    line += plain ? std::string(1, each) : fmt::format("\\{:03o}", static_cast<unsigned char>(each));
  }
  return line;
}

std::string or_unknown(const std::optional<uint64_t>& number) {
  return number ? fmt::format("{}", *number) : "unknown";
}

std::string or_unknown(const std::string& text) { return text.empty() ? "unknown" : line_of(text); }

// Returns text such as "199 (the mean, from 187 to 211)".
std::string period_text(const std::optional<Period>& period) {
  if (!period) return "unknown";
  return period->min == period->max
             ? fmt::format("{}", period->mean)
             : fmt::format("{} (the mean, from {} to {})", period->mean, period->min, period->max);
}

std::string cache_lines(const std::vector<record::CacheInfo>& caches) {
  std::string lines;
  for (const record::CacheInfo& cache : caches)
    lines += fmt::format("# cache: {} {} {} {} {}\n", cache.level, cache.type, cache.line_bytes, cache.sets,
                         cache.ways);
  return lines;
}

// Returns permissions such as "rw-s", as in /proc/PID/maps (proc(5)).
std::string permissions_of(const DataPages& pages) {
  const auto flag = [&](uint32_t bit, char letter) { return (pages.protection & bit) != 0 ? letter : '-'; };
  return {flag(PROT_READ, 'r'), flag(PROT_WRITE, 'w'), flag(PROT_EXEC, 'x'), pages.shared ? 's' : 'p'};
}

std::string registers_text(const Sample& sample) {
  std::string text;
  for (size_t column = 0; column < kColumns.size(); ++column) {
    if (column != 0) text += ' ';
    text += sample.knows(column) ? fmt::format("{:016x}", sample.values[column]) : "-";
  }
  return text;
}

std::string hex_or_dash(Bytes bytes) { return bytes.empty() ? "-" : hex_of(bytes); }

std::string precision(const std::optional<bool>& precise) {
  if (!precise) return "unknown";
  return *precise ? "precise" : "not precise";
}

std::string column_line() {
  std::string line = "#";
  for (const Column& column : kColumns) line += fmt::format(" {}", column.name);
  return line + '\n';
}

std::string header_text(const Header& header) {
  return fmt::format("{}\n", kFirstLine) +                             //
         fmt::format("# date: {}\n", or_unknown(header.date)) +        //
         fmt::format("# command: {}\n", or_unknown(header.command)) +  //
         fmt::format("# event: {}\n", or_unknown(header.event)) +      //
         fmt::format("# EBS type: {}\n", precision(header.precise)) +  //
         fmt::format("# PMU: {}\n", or_unknown(header.pmu)) +          //
         fmt::format("# counter: {}\n", or_unknown(header.counter)) +  //
         cache_lines(header.caches) +                                  //
         fmt::format("# events per sample: {:<{}}\n", period_text(header.events_per_sample), kPeriodWidth) +
         fmt::format("# samples to buffer: {:<{}}\n", or_unknown(header.samples_to_buffer), kCountWidth) +
         fmt::format("# sample type: {}\n", or_unknown(header.sample_type)) +  //
         fmt::format("# max samples: {}\n", or_unknown(header.max_samples)) +  //
         fmt::format("# samples collected: {:<{}}\n", or_unknown(header.collected), kCountWidth) +
         fmt::format("# dropped samples: {:<{}}\n", or_unknown(header.dropped), kCountWidth) +  //
         fmt::format("# extent: {:<{}}\n", or_unknown(header.extent), kExtentWidth) +           //
         fmt::format("# sample filename: {}\n", or_unknown(header.file)) + column_line();
}

}  // namespace

Result<Writer> Writer::create(const std::string& path, Header header) {
  Result<record::Output> output = record::Output::create(path);
  if (!output) return output.error();
  Writer writer(*std::move(output), std::move(header));
  if (writer.output_.is_file()) {
    std::string text = header_text(writer.header_);
    if (Status begun = writer.output_.write(bytes_of(text)); !begun) return begun.error();
    writer.written_ = text.size();
  }
  return writer;
}

void Writer::mapping(const Mapping& mapping) {
  std::string range =
      fmt::format("{} {:x}-{:x} {:x}", mapping.pid, mapping.start, mapping.end, mapping.file_offset);
  if (!mapping.data) {
    pending_ += fmt::format("# mapping: {} {}\n", range, line_of(mapping.path));
    return;
  }
  const record::FileIdentity& file = mapping.data->identity;
  pending_ += fmt::format("# data mapping: {} {} {:x}:{:x} {} {}\n", range, permissions_of(*mapping.data),
                          file.major, file.minor, file.inode, line_of(mapping.path));
}

void Writer::fork(const Fork& fork) { pending_ += fmt::format("# fork: {} {}\n", fork.pid, fork.parent); }

void Writer::exec(const Exec& exec) {
  pending_ += fmt::format("# exec: {} {}\n", exec.pid, line_of(exec.comm));
}

void Writer::name(Thread thread, std::string_view comm) {
  names_[thread.tid] = line_of(comm);
  if (thread == thread_) thread_.reset();
}

void Writer::heap_site(const HeapSite& site) {
  pending_ += fmt::format("# heap site: {} {} {} {} {:016x} {} {}\n", site.number, site.at.thread.pid,
                          site.at.thread.tid, site.any_caller ? "any" : "one", site.return_address,
                          registers_text(site.at), hex_or_dash(site.stack));
}

void Writer::sample(const Sample& sample) {
  if (sample.thread != thread_) {
    thread_ = sample.thread;
    pending_ += fmt::format("# thread: {} {} {}\n", thread_->pid, thread_->tid, names_[thread_->tid]);
  }
  if (std::string details = text_of(sample.details); !details.empty())
    pending_ += fmt::format("# details: {}\n", details);
  pending_ += registers_text(sample) + '\n';
  ++samples_;
}

void Writer::counted(const Counted& counted) {
  pending_ += fmt::format("# counted: {} {} {} {} {}\n", counted.thread.pid, counted.thread.tid,
                          counted.value, counted.time_enabled_ns, counted.time_running_ns);
}

Status Writer::flush() {
  if (!output_.is_file() || !failure_) return failure_;
  failure_ = output_.write(bytes_of(pending_));
  if (failure_) written_ += pending_.size();
  if (!failure_) (void)output_.cut_at(written_);  // a partial line must not be read as a sample
  pending_.clear();
  return failure_;
}

// JSON on one line holds no line break and needs no escapes.
void Writer::add_ending(const Ending& ending) {
  for (const record::BuildId& id : ending.build_ids)
    pending_ += fmt::format("# build id: {} {}\n", hex_or_dash(id.id), line_of(id.path));
  std::string_view run = ending.run;
  for (; !run.empty(); run.remove_prefix(std::min(kPieceBytes, run.size())))
    pending_ += fmt::format("# run: {}\n", run.substr(0, kPieceBytes));
}

// If writing fails before the end, the header keeps its "unknown" values.
Status Writer::finish(const Ending& ending) {
  header_.collected = samples_;
  header_.dropped = ending.dropped;
  header_.samples_to_buffer = ending.samples_to_buffer;
  if (ending.events_per_sample) header_.events_per_sample = ending.events_per_sample;
  header_.extent = ending.extent;
  add_ending(ending);
  if (Status flushed = flush(); !flushed) return flushed;
  std::string header = header_text(header_);
  Status written =
      output_.is_file() ? output_.write_at(0, bytes_of(header)) : output_.write(bytes_of(header + pending_));
  Status closed = output_.close();
  return written ? closed : written;
}

}  // namespace hm::dump
