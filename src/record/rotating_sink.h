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
  uint64_t bytes = 0;      // file size after which the next file begins; 0: no limit
  uint64_t ns = 0;         // duration after which the next file begins; 0: no limit
  uint64_t max_files = 0;  // if exceeded, the oldest file is removed; 0: all files are kept
  int compression_level = 0;
};

// A recording in several files, named PATH.YYYYMMDDhhmmsscc by the local time when each began, as `perf
// record --switch-output` does. Each file is a complete recording; its description names the part of the run
// it covers. Exact counts are per thread over the whole run, so they are written only if one file covers the
// whole run.
class RotatingSink final : public RecordingSink {
 public:
  RotatingSink(std::string path, Rotation rotation) : path_(std::move(path)), rotation_(rotation) {}

  Status begin(const RecordingStart& start) override;
  void describe(const std::string& hardmeter) override;
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
  void restrict(Features& features) const;

  std::string path_;
  Rotation rotation_;
  RecordingStart start_;
  std::optional<RecordedState> state_;
  std::optional<Writer> writer_;
  std::deque<std::string> files_;  // the files kept, oldest first
  uint64_t last_time_ = 0;         // the number in the last file's name
  uint64_t parts_ = 0;
  bool is_due_ = false;          // the next part must begin
  uint64_t earlier_bytes_ = 0;   // size of the earlier parts
  uint64_t repeated_bytes_ = 0;  // of this part: the records that repeat the state at its begin
  Clock::time_point run_began_, part_began_;
  nlohmann::json bursts_before_;  // the bursts before this part
  ByteWriter counts_;  // counts of the first part, kept until it is known whether it is the only part
};

}  // namespace hm::record
