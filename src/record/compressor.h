// SPDX-License-Identifier: MIT
// Writes COMPRESSED records as `perf record -z` does: one zstd stream, flushed at the end of each record. If
// the recorder is killed, all complete records can still be read.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "record/features.h"

struct ZSTD_CCtx_s;

namespace hm::record {

inline constexpr int kDefaultCompressionLevel = 1;  // perf's
inline constexpr int kMaxCompressionLevel = 22;     // zstd's

class Compressor {
 public:
  explicit Compressor(int level);

  // Takes whole records and appends each COMPRESSED record that becomes full to `out`. Fails with kIo if zstd
  // fails, which happens if memory is short.
  [[nodiscard]] Status add(Bytes whole_records, ByteWriter& out);
  // Appends COMPRESSED records with everything added since the last flush.
  [[nodiscard]] Status flush(ByteWriter& out);

  // Returns the feature COMPRESSED, which perf needs to read these records. The ratio covers the records
  // added so far.
  [[nodiscard]] CompressionInfo info() const;

 private:
  struct Free {
    void operator()(ZSTD_CCtx_s* context) const;
  };

  [[nodiscard]] Status compress(Bytes piece, ByteWriter& out);

  int level_;
  std::unique_ptr<ZSTD_CCtx_s, Free> context_;
  std::vector<std::byte> pending_;
  std::vector<std::byte> buffer_;
  uint64_t bytes_in_ = 0;
  uint64_t bytes_out_ = 0;
};

}  // namespace hm::record
