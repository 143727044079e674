// SPDX-License-Identifier: MIT
#include "record/decompressor.h"

#include <zstd.h>

#include <algorithm>

namespace hm::record {
namespace {

// Returns the size of the whole records at the start of `bytes`. Fails with kDamaged if a record's size is
// impossible.
Result<size_t> whole_records(Bytes bytes, bool swap) {
  size_t end = 0;
  while (bytes.size() - end >= kRecordHeaderBytes) {
    ByteReader in(bytes.subspan(end + kRecordHeaderBytes - sizeof(uint16_t)), swap);
    uint16_t size = in.u16();
    if (size < kRecordHeaderBytes) {
      return make_error(ErrorCode::kDamaged, "a compressed record of {} bytes is too small", size);
    }
    if (size > bytes.size() - end) break;
    end += size;
  }
  return end;
}

}  // namespace

void Decompressor::Free::operator()(ZSTD_DCtx_s* context) const { ZSTD_freeDCtx(context); }

Result<Bytes> Decompressor::decompress(Bytes compressed, bool swap) {
  Status inflated = inflate(compressed);
  if (!inflated.ok()) return inflated.error();
  Result<size_t> whole = whole_records(pending_, swap);
  if (!whole.ok()) return whole.error();
  if (*whole == 0) return Bytes{};
  std::vector<std::byte> rest(pending_.begin() + static_cast<ptrdiff_t>(*whole), pending_.end());
  chunks_.push_back(std::move(pending_));
  pending_ = std::move(rest);
  return Bytes(chunks_.back()).first(*whole);
}

// Appends decompressed bytes to pending_. perf flushes the stream at the end of each piece but does not end
// it. The loop is therefore done when the input is used up and the output buffer has room left.
Status Decompressor::inflate(Bytes compressed) {
  if (context_ == nullptr) context_.reset(ZSTD_createDCtx());
  bytes_in_ += compressed.size();
  ZSTD_inBuffer in{compressed.data(), compressed.size(), 0};
  for (bool done = false; !done;) {
    size_t filled = pending_.size();
    size_t room = std::max(ZSTD_DStreamOutSize(), filled);
    pending_.resize(filled + room);
    ZSTD_outBuffer out{pending_.data() + filled, room, 0};
    size_t result = ZSTD_decompressStream(context_.get(), &out, &in);
    pending_.resize(filled + out.pos);
    if (ZSTD_isError(result) != 0) {
      return make_error(ErrorCode::kDamaged, "its zstd stream is damaged ({})", ZSTD_getErrorName(result));
    }
    bytes_out_ += out.pos;
    if (bytes_out_ > kExpansionAllowanceBytes + bytes_in_ * kMaxExpansion) {
      return make_error(ErrorCode::kDamaged,
                        "its zstd stream, {} bytes so far, expands to more than {} times its size", bytes_in_,
                        kMaxExpansion);
    }
    done = in.pos == in.size && out.pos < out.size;
  }
  return {};
}

Result<Bytes> compressed_part(const Record& record) {
  if (record.type == kCompressed) return record.payload;
  ByteReader in = record.reader();
  uint64_t size = in.u64();
  Bytes part = in.take(size);
  if (!in.ok()) return short_record(record);
  return part;
}

}  // namespace hm::record
