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

// The latest part of a running recording, in memory. One thread may append while another one saves.
class RecentRecords final : public record::RecordingSink {
 public:
  // Keeps at most `max_bytes` of samples, and at most `max_bytes` of other records (names, mappings). Drops
  // the oldest records beyond these limits.
  explicit RecentRecords(size_t max_bytes) : max_bytes_(max_bytes) {}

  Status begin(const record::RecordingStart& start) override;
  void describe(const std::string& hardmeter) override;
  Status append(Bytes whole_records) override;
  Status finish(const record::Features& features) override;
  [[nodiscard]] uint64_t bytes() const override;  // total bytes appended

  // Writes the kept records to a file as a recording. Fails with kNotFound before the measurement has begun,
  // or with the writer's error.
  Status save(const std::string& path) const;

 private:
  // Records in order of arrival. A full chunk is immutable; it can only be replaced.
  struct Chunk {
    std::vector<std::byte> records;
    size_t sample_bytes = 0;
  };

  void close_chunk();
  void forget();

  const size_t max_bytes_;
  mutable std::mutex mutex_;  // protects all members below
  bool begun_ = false;
  record::RecordingStart start_;
  std::deque<std::shared_ptr<const Chunk>> chunks_;
  Chunk open_;                  // the last chunk
  size_t without_samples_ = 0;  // number of chunks at the front of chunks_ whose samples were dropped
  size_t sample_bytes_ = 0, other_bytes_ = 0;  // sums over chunks_
  uint64_t appended_ = 0;
};

}  // namespace hm::live
