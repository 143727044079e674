// SPDX-License-Identifier: MIT
// Decompresses COMPRESSED and COMPRESSED2 records: one zstd stream, cut at arbitrary bytes, even inside a
// record.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "record/perf_record.h"

struct ZSTD_DCtx_s;

namespace hm::record {

// A stream that expands to more than kMaxExpansion times its size, beyond the allowance below, is rejected as
// an attack. The largest observed ratio was 30, for stack dumps, the most repetitive data that perf records.
inline constexpr size_t kMaxExpansion = 256;
inline constexpr size_t kExpansionAllowanceBytes = size_t{32} << 20;

class Decompressor {
 public:
  // Decompresses the next piece of the stream and returns the records that it completes. They stay valid for
  // the lifetime of this object. Fails with kDamaged if the piece is not valid zstd data or expands too much;
  // every later call then fails too.
  Result<Bytes> decompress(Bytes compressed, bool swap);

  // Frees the zstd context, which may hold a window of 128 MiB, but keeps the decompressed records.
  void end() { context_.reset(); }

  // Returns the size of a partial record at the end of the decompressed data.
  [[nodiscard]] size_t pending_bytes() const { return pending_.size(); }

 private:
  struct Free {
    void operator()(ZSTD_DCtx_s* context) const;
  };

  Status inflate(Bytes compressed);

  std::unique_ptr<ZSTD_DCtx_s, Free> context_;
  uint64_t bytes_in_ = 0;
  uint64_t bytes_out_ = 0;
  std::vector<std::byte> pending_;
  std::vector<std::vector<std::byte>> chunks_;
};

// Returns the compressed part of the payload. Fails with kDamaged if its declared size exceeds the payload.
Result<Bytes> compressed_part(const Record& record);

}  // namespace hm::record
