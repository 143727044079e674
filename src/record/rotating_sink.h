// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "base/json.h"
#include "record/recorded_state.h"
#include "record/recording_sink.h"
#include "record/writer.h"

namespace hm::record {

struct Rotation {
  uint64_t bytes = 0;      // of a file, after which the next begins; 0: no such limit
  uint64_t ns = 0;         // likewise the time
  uint64_t max_files = 0;  // then the oldest is removed; 0: all are kept
  int compression_level = 0;
};

// A recording in several files, PATH.YYYYMMDDhhmmsscc by the local time when each began, as `perf record
// --switch-output` names them. Each is a recording by itself, whose description says which part of the run it
// has. Exact counts are of whole threads: they are written only where one file has the whole run.
class RotatingSink final : public RecordingSink {
 public:
  RotatingSink(std::string path, Rotation rotation) : path_(std::move(path)), rotation_(rotation) {}

  Status begin(const RecordingStart& start) override;
  Status append(Bytes whole_records) override;
  Status finish(const Features& features) override;
  [[nodiscard]] uint64_t bytes() const override {
    return earlier_bytes_ + (writer_ ? writer_->data_bytes() : 0);
  }
  [[nodiscard]] SeveralFiles files() const override { return {{files_.begin(), files_.end()}, parts_}; }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool is_due() const;
  [[nodiscard]] std::string next_name();
  Status open_next();
  Status rotate();
  Status finish_part(Features features);

  std::string path_;
  Rotation rotation_;
  RecordingStart start_;
  std::optional<RecordedState> state_;
  std::optional<Writer> writer_;
  std::deque<std::string> files_;  // that are kept, the oldest first
  uint64_t last_time_ = 0;         // as in the last file's name
  uint64_t parts_ = 0;
  bool is_due_ = false;          // the next part
  uint64_t earlier_bytes_ = 0;   // of the parts before
  uint64_t repeated_bytes_ = 0;  // of this part: what describes the state at its begin
  Clock::time_point run_began_, part_began_;
  nlohmann::json bursts_before_;  // the bursts before this part
  ByteWriter counts_;             // of the first part, until it is known whether it is the only one
};

}  // namespace hm::record
