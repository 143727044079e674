// SPDX-License-Identifier: MIT
// Where a measurement's records go. It is begun when the measurement is about to begin, and finished however
// that ended.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "record/event.h"
#include "record/features.h"
#include "record/writer.h"

namespace hm::record {

// What is known when it begins.
struct RecordingStart {
  std::vector<EventDescription> events;
  Features features;
  uint64_t ring_bytes = 0;  // what the PMU keeps until somebody takes it; 0: not known
  bool many_rings = false;  // records come ring by ring, and between FINISHED_ROUNDs not in order of time
};

class RecordingSink {
 public:
  RecordingSink() = default;
  RecordingSink(const RecordingSink&) = delete;
  RecordingSink& operator=(const RecordingSink&) = delete;
  virtual ~RecordingSink() = default;

  virtual Status begin(const RecordingStart& start) = 0;
  // What Features::hardmeter would say if it ended now; told now and then.
  virtual void describe(const std::string& /*hardmeter*/) {}
  // Whole records, as a ring gives them. An error ends the measurement.
  virtual Status append(Bytes whole_records) = 0;
  virtual Status finish(const Features& features) = 0;

  // So far.
  [[nodiscard]] virtual uint64_t bytes() const = 0;
};

// A recording in perf's format.
class PerfDataSink final : public RecordingSink {
 public:
  explicit PerfDataSink(std::string path) : path_(std::move(path)) {}

  Status begin(const RecordingStart& start) override {
    Result<Writer> writer = Writer::create(path_, start.events, start.features);
    if (!writer) return writer.error();
    writer_ = *std::move(writer);
    return {};
  }
  Status append(Bytes whole_records) override { return writer_->append(whole_records); }
  Status finish(const Features& features) override { return writer_->finish(features); }
  [[nodiscard]] uint64_t bytes() const override { return writer_ ? writer_->data_bytes() : 0; }

 private:
  std::string path_;
  std::optional<Writer> writer_;
};

}  // namespace hm::record
