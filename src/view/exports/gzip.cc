// SPDX-License-Identifier: MIT
#include "view/exports/gzip.h"

#include <cstddef>
#include <utility>

namespace hm::exports {
namespace {

constexpr size_t kCompressedBytes = size_t{1} << 16;
constexpr int kGzipWindowBits = 15 + 16;  // argument of deflateInit2: the largest window, with a gzip header
constexpr int kDefaultMemoryLevel = 8;

}  // namespace

GzipStream::GzipStream(Write write) : write_(std::move(write)), compressed_(kCompressedBytes, '\0') {
  is_ready_ = deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindowBits, kDefaultMemoryLevel,
                           Z_DEFAULT_STRATEGY) == Z_OK;
}

// zlib declares its input as non-const, but only reads it.
Status GzipStream::compress(std::string_view bytes, int flush) {
  if (!is_ready_) return make_error(ErrorCode::kIo, "cannot compress: out of memory");
  stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream_.avail_in = static_cast<uInt>(bytes.size());
  do {
    stream_.next_out = reinterpret_cast<Bytef*>(compressed_.data());
    stream_.avail_out = static_cast<uInt>(compressed_.size());
    deflate(&stream_, flush);
    size_t size = compressed_.size() - stream_.avail_out;
    if (Status written = write_(std::string_view(compressed_).substr(0, size)); !written) return written;
  } while (stream_.avail_out == 0);
  return {};
}

}  // namespace hm::exports
