// SPDX-License-Identifier: MIT
#include "dump/writer.h"

#include <fmt/format.h>

#include <span>

namespace hm::dump {
namespace {

// Room for the counts that are only known at the end, so that they can be written over.
constexpr int kCountWidth = 20;

Bytes bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

// On one line, whatever it holds: as /proc/PID/maps has paths.
std::string line_of(std::string_view text) {
  constexpr size_t kMostBytes = 4096;  // a reader takes longer ones for damage
  std::string line;
  for (char each : text.substr(0, kMostBytes)) {
    bool plain = static_cast<unsigned char>(each) >= ' ' && each != '\\' && each != '\x7f';
    line += plain ? std::string(1, each) : fmt::format("\\{:03o}", static_cast<unsigned char>(each));
  }
  return line;
}

std::string or_unknown(const std::optional<uint64_t>& number) {
  return number ? fmt::format("{}", *number) : "unknown";
}

std::string or_unknown(const std::string& text) { return text.empty() ? "unknown" : line_of(text); }

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
  return fmt::format("{}\n", kFirstLine) +                                                 //
         fmt::format("# date: {}\n", or_unknown(header.date)) +                            //
         fmt::format("# command: {}\n", or_unknown(header.command)) +                      //
         fmt::format("# event: {}\n", or_unknown(header.event)) +                          //
         fmt::format("# EBS type: {}\n", precision(header.precise)) +                      //
         fmt::format("# PMU: {}\n", or_unknown(header.pmu)) +                              //
         fmt::format("# counter: {}\n", or_unknown(header.counter)) +                      //
         fmt::format("# events per sample: {}\n", or_unknown(header.events_per_sample)) +  //
         fmt::format("# samples to buffer: {:<{}}\n", or_unknown(header.samples_to_buffer), kCountWidth) +
         fmt::format("# sample type: {}\n", or_unknown(header.sample_type)) +  //
         fmt::format("# max samples: {}\n", or_unknown(header.max_samples)) +  //
         fmt::format("# samples collected: {:<{}}\n", or_unknown(header.collected), kCountWidth) +
         fmt::format("# dropped samples: {:<{}}\n", or_unknown(header.dropped), kCountWidth) +  //
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
  pending_ += fmt::format("# mapping: {} {:x}-{:x} {:x} {}\n", mapping.pid, mapping.start, mapping.end,
                          mapping.file_offset, line_of(mapping.path));
}

void Writer::fork(const Fork& fork) { pending_ += fmt::format("# fork: {} {}\n", fork.pid, fork.parent); }

void Writer::name(Thread thread, std::string_view comm) {
  names_[thread.tid] = line_of(comm);
  if (thread == thread_) thread_.reset();
}

void Writer::sample(const Sample& sample) {
  if (sample.thread != thread_) {
    thread_ = sample.thread;
    pending_ += fmt::format("# thread: {} {} {}\n", thread_->pid, thread_->tid, names_[thread_->tid]);
  }
  for (size_t column = 0; column < kColumns.size(); ++column) {
    if (column != 0) pending_ += ' ';
    pending_ += sample.knows(column) ? fmt::format("{:016x}", sample.values[column]) : "-";
  }
  pending_ += '\n';
  ++samples_;
}

Status Writer::flush() {
  if (!output_.is_file() || !failure_) return failure_;
  failure_ = output_.write(bytes_of(pending_));
  if (failure_) written_ += pending_.size();
  if (!failure_) (void)output_.cut_at(written_);  // a part of a line is no sample
  pending_.clear();
  return failure_;
}

// Where it could not be written to its end, the header goes on saying "unknown".
Status Writer::finish(const Ending& ending) {
  header_.collected = samples_;
  header_.dropped = ending.dropped;
  header_.samples_to_buffer = ending.samples_to_buffer;
  if (Status flushed = flush(); !flushed) return flushed;
  std::string header = header_text(header_);
  Status written =
      output_.is_file() ? output_.write_at(0, bytes_of(header)) : output_.write(bytes_of(header + pending_));
  Status closed = output_.close();
  return written ? closed : written;
}

}  // namespace hm::dump
