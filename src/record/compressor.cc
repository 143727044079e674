// SPDX-License-Identifier: MIT
#include "record/compressor.h"

#include <zstd.h>

#include <algorithm>

#include "record/perf_record.h"

namespace hm::record {
namespace {

// perf 6.1 expands a record into a buffer of CompressionInfo::mmap_bytes, so a piece must not be larger. A
// piece that zstd cannot shrink still fits into a record.
constexpr size_t kPieceBytes = 60 * 1024;
constexpr size_t kBufferBytes = 2 * kPieceBytes;

}  // namespace

void Compressor::Free::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }

Compressor::Compressor(int level)
    : level_(level), context_(ZSTD_createCCtx()), buffer_(kMaxRecordBytes - kRecordHeaderBytes) {
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, level);
}

Status Compressor::add(Bytes whole_records, ByteWriter& out) {
  pending_.insert(pending_.end(), whole_records.begin(), whole_records.end());
  Bytes rest(pending_);
  for (; rest.size() >= kPieceBytes; rest = rest.subspan(kPieceBytes)) {
    if (Status compressed = compress(rest.first(kPieceBytes), out); !compressed) return compressed;
  }
  pending_ = std::vector<std::byte>(rest.begin(), rest.end());
  return {};
}

Status Compressor::flush(ByteWriter& out) {
  Status compressed = pending_.empty() ? Status() : compress(pending_, out);
  pending_.clear();
  return compressed;
}

// perf 6.1 treats the record's size as that of its compressed data, so the size is not rounded up.
Status Compressor::compress(Bytes piece, ByteWriter& out) {
  ZSTD_inBuffer in{piece.data(), piece.size(), 0};
  ZSTD_outBuffer compressed{buffer_.data(), buffer_.size(), 0};
  size_t left = ZSTD_compressStream2(context_.get(), &compressed, &in, ZSTD_e_flush);
  if (ZSTD_isError(left) != 0)
    return make_error(ErrorCode::kIo, "cannot compress the recording: {}", ZSTD_getErrorName(left));
  if (left != 0) return make_error(ErrorCode::kIo, "cannot compress the recording: a part of it grows");
  out.u32(kCompressed);
  out.u16(0);
  out.u16(static_cast<uint16_t>(kRecordHeaderBytes + compressed.pos));
  out.append(Bytes(buffer_).first(compressed.pos));
  bytes_in_ += piece.size();
  bytes_out_ += compressed.pos;
  return {};
}

CompressionInfo Compressor::info() const {
  constexpr uint32_t kVersion = 1, kZstd = 1;
  uint64_t ratio = bytes_out_ == 0 ? 1 : (bytes_in_ + bytes_out_ / 2) / bytes_out_;
  return {kVersion, kZstd, static_cast<uint32_t>(level_), static_cast<uint32_t>(ratio), kBufferBytes};
}

}  // namespace hm::record
