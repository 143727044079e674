// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/recording_sink.h"

namespace hm::live {

// The end of a recording that goes on, in memory. One thread appends to it while another saves it.
class RecentRecords final : public record::RecordingSink {
 public:
  // Of samples so much stays, and of what else was recorded (names, mappings) as much: beyond that the oldest
  // are forgotten.
  explicit RecentRecords(size_t most_bytes) : most_bytes_(most_bytes) {}

  Status begin(const record::RecordingStart& start) override;
  void describe(const std::string& hardmeter) override;
  Status append(Bytes whole_records) override;
  Status finish(const record::Features& features) override;
  [[nodiscard]] uint64_t bytes() const override;  // that were appended

  // Writes to a file what there is, as a recording. kNotFound before the measurement has begun; else the
  // writer's error.
  Status save(const std::string& path) const;

 private:
  // Records in the order in which they came. A full one is never changed, only replaced.
  struct Chunk {
    std::vector<std::byte> records;
    size_t sample_bytes = 0;
  };

  void close_chunk();
  void forget();

  const size_t most_bytes_;
  mutable std::mutex mutex_;  // of all below
  bool begun_ = false;
  record::RecordingStart start_;
  std::deque<std::shared_ptr<const Chunk>> chunks_;
  Chunk open_;                                 // the last one
  size_t without_samples_ = 0;                 // of chunks_, the first so many
  size_t sample_bytes_ = 0, other_bytes_ = 0;  // of chunks_
  uint64_t appended_ = 0;
};

}  // namespace hm::live
