// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "record/recording_sink.h"
#include "record/writer.h"

namespace hm::record {

struct FileOptions {
  int compression_level = 0;  // 1 to kMaxCompressionLevel; 0: not compressed
  uint64_t max_bytes = 0;     // of the file; beyond it, only counts and features are written; 0: no limit
};

// Writes a recording in perf's format to one file.
class PerfDataSink final : public RecordingSink {
 public:
  explicit PerfDataSink(std::string path, FileOptions options = {})
      : path_(std::move(path)), options_(options) {}

  Status begin(const RecordingStart& start) override;
  void describe(const std::string& hardmeter) override { writer_->describe(hardmeter); }
  // When the file is full, keeps only exact counts and records of losses, and drops all others.
  Status append(Bytes whole_records) override;
  Status finish(const Features& features) override { return writer_->finish(features); }
  [[nodiscard]] uint64_t bytes() const override { return writer_ ? writer_->data_bytes() : 0; }
  [[nodiscard]] bool is_full() const override { return is_full_; }
  [[nodiscard]] uint64_t dropped_samples() const override { return dropped_samples_; }

 private:
  [[nodiscard]] Bytes that_fits(Bytes whole_records) const;
  Status append_round(Bytes finished_round);
  Status append_counts(Bytes whole_records);

  std::string path_;
  FileOptions options_;
  std::optional<Writer> writer_;
  bool is_full_ = false;
  uint64_t dropped_samples_ = 0;
  bool has_new_counts_ = false;  // since the last FINISHED_ROUND
};

}  // namespace hm::record
