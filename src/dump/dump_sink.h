// SPDX-License-Identifier: MIT
// Makes the original's dump (dump/dump.h) of what is measured, or was recorded.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "dump/writer.h"
#include "record/event_index.h"
#include "record/record.h"
#include "record/recording_sink.h"

namespace hm::dump {

struct DumpOptions {
  std::string path{};                      // "-" is standard output
  std::string command{};                   // what was measured; empty: as the features tell
  std::optional<uint64_t> most_samples{};  // further ones are left out
  // Every sample of a recording is given to the sink, so that it is known how many are left out. Otherwise
  // the measurement stops at `most_samples`.
  bool gets_all_samples = false;
};

class DumpSink final : public record::RecordingSink {
 public:
  explicit DumpSink(DumpOptions options) : options_(std::move(options)) {}

  // All events are dumped: they are the parts of one. Only the event of heap sites (record/extension.h)
  // describes where blocks were allocated.
  Status begin(const record::RecordingStart& start) override;
  Status append(Bytes whole_records) override;
  Status finish(const record::Features& features) override;
  [[nodiscard]] uint64_t bytes() const override { return bytes_; }

  // Samples that were due and are not there, as far as that is known: the kernel may not have told of all.
  void missing(std::optional<uint64_t> samples) {
    dropped_ = samples && dropped_ ? std::optional(std::max(*dropped_, *samples)) : std::nullopt;
  }

  // One at a time, in either byte order.
  void take(const record::Record& record);
  // A sample that stands for `events` events, where it does not say so itself.
  void take_sample(const record::Record& record, std::optional<uint64_t> events = std::nullopt);
  Status flush_when_large() { return writer_->pending_bytes() < kManyBytes ? Status() : writer_->flush(); }

  [[nodiscard]] uint64_t samples() const { return writer_ ? writer_->samples() : 0; }

  // What the dump leaves out of the run, a sentence without its end; empty if that is nothing. After
  // finish().
  [[nodiscard]] const std::string& limit() const { return limit_; }

 private:
  static constexpr size_t kManyBytes = size_t{1} << 20;

  [[nodiscard]] bool is_full() const { return options_.most_samples && samples() >= *options_.most_samples; }
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
  std::vector<std::byte> round_;  // of many rings: not taken yet
  uint64_t bytes_ = 0;
  std::optional<uint64_t> dropped_ = 0;  // nullopt: not known how many
  uint64_t ring_bytes_ = 0;
  uint64_t sample_bytes_ = 0;      // of the last one
  uint64_t left_out_ = 0;          // samples beyond the most that were wanted
  std::optional<Period> periods_;  // of the samples; the mean is not kept
  uint64_t period_sum_ = 0;        // of the samples
  uint64_t samples_with_period_ = 0;
  std::optional<uint64_t> first_ns_, last_ns_;  // times of samples
  std::string limit_;
};

}  // namespace hm::dump
