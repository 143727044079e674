// SPDX-License-Identifier: MIT
// What COMPRESSED and COMPRESSED2 records hold: one zstd stream, cut anywhere, also inside a record.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "record/record.h"

struct ZSTD_DCtx_s;

namespace hm::record {

// A stream that expands to more than this many times its size, beyond a first allowance, is taken for an
// attack. Stack dumps, the most repetitive thing that perf records, were seen to shrink to a thirtieth.
inline constexpr size_t kMaxExpansion = 256;
inline constexpr size_t kExpansionAllowanceBytes = size_t{32} << 20;

class Decompressor {
 public:
  // The records that `compressed`, the next piece of the stream, makes whole. They stay where they are as
  // long as this lives. kDamaged where it is no zstd stream, or expands beyond reason; nothing can be
  // decompressed after that.
  Result<Bytes> decompress(Bytes compressed, bool swap);

  // Gives back all but what it decompressed: a stream may ask for a window of 128 MiB.
  void end() { context_.reset(); }

  // Bytes of a record that is not whole yet.
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

// The payload's compressed part; kDamaged where it says it is larger than it is.
Result<Bytes> compressed_part(const Record& record);

}  // namespace hm::record
