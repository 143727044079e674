// SPDX-License-Identifier: MIT
// Writes a dump in the original's format (dump/dump.h) of a measurement or a recording.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "dump/writer.h"
#include "record/event_index.h"
#include "record/perf_record.h"
#include "record/recording_sink.h"

namespace hm::dump {

struct DumpOptions {
  std::string path{};     // "-" is standard output
  std::string command{};  // command line of the measured program; empty: taken from the features
  std::optional<uint64_t> max_samples{};  // maximum number of samples; later samples are left out
  // True if the sink receives every sample of a recording, so that it can count those left out. Otherwise the
  // measurement stops at `max_samples`.
  bool gets_all_samples = false;
};

class DumpSink final : public record::RecordingSink {
 public:
  explicit DumpSink(DumpOptions options) : options_(std::move(options)) {}

  // All events are dumped: they are parts of one event. The exception is the heap-site event
  // (record/extension.h), which only describes allocation sites.
  Status begin(const record::RecordingStart& start) override;
  Status append(Bytes whole_records) override;
  Status finish(const record::Features& features) override;
  [[nodiscard]] uint64_t bytes() const override { return bytes_; }
  [[nodiscard]] bool is_full() const override {
    return options_.max_samples && samples() >= *options_.max_samples;
  }

  // Reports the number of samples that were due but are missing; keeps the maximum of all reports. nullopt:
  // unknown, because the kernel may not have reported all losses.
  void missing(std::optional<uint64_t> samples) {
    dropped_ = samples && dropped_ ? std::optional(std::max(*dropped_, *samples)) : std::nullopt;
  }

  // Takes one record, in either byte order.
  void take(const record::Record& record);
  // Takes a sample; `events` overrides its sampling period.
  void take_sample(const record::Record& record, std::optional<uint64_t> events = std::nullopt);
  Status flush_when_large() { return writer_->pending_bytes() < kManyBytes ? Status() : writer_->flush(); }

  [[nodiscard]] uint64_t samples() const { return writer_ ? writer_->samples() : 0; }

  // Returns a sentence without its full stop on the part of the run that the dump leaves out; empty if the
  // dump is complete. Valid after finish().
  [[nodiscard]] const std::string& limit() const { return limit_; }

 private:
  static constexpr size_t kManyBytes = size_t{1} << 20;

  Status take_round();
  void take_change(const record::Record& record);
  void take_mmap(const record::Record& record);
  void take_comm(const record::Record& record);
  void take_read(const record::Record& record);
  void add_to_extent(const Details& details);
  [[nodiscard]] std::optional<Period> events_per_sample() const;
  [[nodiscard]] std::string find_limit(const nlohmann::json& run) const;

  DumpOptions options_;
  std::vector<record::EventDescription> events_;
  record::EventIndex index_;
  std::optional<Writer> writer_;
  bool many_rings_ = false;
  std::vector<std::byte> round_;  // unprocessed records of the current round of several rings
  uint64_t bytes_ = 0;
  std::optional<uint64_t> dropped_ = 0;  // nullopt: number unknown
  uint64_t ring_bytes_ = 0;
  uint64_t sample_bytes_ = 0;      // size of the last sample
  uint64_t left_out_ = 0;          // samples beyond `max_samples`
  std::optional<Period> periods_;  // minimum and maximum over the samples; the mean is not maintained
  uint64_t period_sum_ = 0;        // over the samples
  uint64_t samples_with_period_ = 0;
  std::optional<uint64_t> first_ns_, last_ns_;  // times of the first and last sample
  std::string limit_;
};

}  // namespace hm::dump
