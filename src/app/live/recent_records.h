// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
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

  void close_chunk() HM_REQUIRES(mutex_);
  void forget() HM_REQUIRES(mutex_);

  const size_t max_bytes_;
  mutable Mutex mutex_;
  bool begun_ HM_GUARDED_BY(mutex_) = false;
  record::RecordingStart start_ HM_GUARDED_BY(mutex_);
  std::deque<std::shared_ptr<const Chunk>> chunks_ HM_GUARDED_BY(mutex_);
  Chunk open_ HM_GUARDED_BY(mutex_);  // the last chunk
  size_t without_samples_ HM_GUARDED_BY(mutex_) =
      0;  // number of chunks at the front of chunks_ whose samples were dropped
  size_t sample_bytes_ HM_GUARDED_BY(mutex_) = 0, other_bytes_
                                                  HM_GUARDED_BY(mutex_) = 0;  // sums over chunks_
  uint64_t appended_ HM_GUARDED_BY(mutex_) = 0;
};

}  // namespace hm::live
