// SPDX-License-Identifier: MIT
#include "unpack/unpack.h"

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string_view>

#include "base/byte_size.h"

namespace hm {
namespace {

// A step of a decoder: it consumes input, fills the room for output, and reports whether the data ended.
enum class Step { kMore, kEnd, kDamaged };

const uint8_t* pointer_of(Bytes bytes) { return reinterpret_cast<const uint8_t*>(bytes.data()); }

// zlib counts in 32 bits.
unsigned count32(size_t size) {
  return static_cast<unsigned>(std::min<size_t>(size, std::numeric_limits<unsigned>::max()));
}

// Decodes the members of a gzip file one after the other.
class Gunzip {
 public:
  explicit Gunzip(Bytes packed) : rest_(packed) {
    constexpr int kGzipOnly = 16;
    is_open_ = inflateInit2(&stream_, MAX_WBITS + kGzipOnly) == Z_OK;
  }
  ~Gunzip() {
    if (is_open_) (void)inflateEnd(&stream_);
  }
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  Step step(std::span<std::byte> room, size_t& written) {
    if (!is_open_) return Step::kDamaged;
    stream_.next_in = const_cast<uint8_t*>(pointer_of(rest_));
    stream_.avail_in = count32(rest_.size());
    stream_.next_out = reinterpret_cast<uint8_t*>(room.data());
    stream_.avail_out = count32(room.size());
    size_t offered = stream_.avail_in;
    int status = inflate(&stream_, Z_NO_FLUSH);
    rest_ = rest_.subspan(offered - stream_.avail_in);
    written = count32(room.size()) - stream_.avail_out;
    if (status == Z_OK) return rest_.empty() && written == 0 ? Step::kDamaged : Step::kMore;
    if (status != Z_STREAM_END) return Step::kDamaged;
    if (packing_of(rest_) != Packing::kGzip) return Step::kEnd;  // gzip(1) ignores other data behind a member
    return inflateReset(&stream_) == Z_OK ? Step::kMore : Step::kDamaged;
  }

 private:
  Bytes rest_;
  z_stream stream_{};
  bool is_open_ = false;
};

class Unxz {
 public:
  explicit Unxz(Bytes packed) {
    constexpr uint64_t kMaxMemory = uint64_t{256} << 20;  // xz -9 needs 65 MiB
    is_open_ = lzma_stream_decoder(&stream_, kMaxMemory, LZMA_CONCATENATED) == LZMA_OK;
    stream_.next_in = pointer_of(packed);
    stream_.avail_in = packed.size();
  }
  ~Unxz() { lzma_end(&stream_); }
  Unxz(const Unxz&) = delete;
  Unxz& operator=(const Unxz&) = delete;

  Step step(std::span<std::byte> room, size_t& written) {
    if (!is_open_) return Step::kDamaged;
    stream_.next_out = reinterpret_cast<uint8_t*>(room.data());
    stream_.avail_out = room.size();
    lzma_ret status = lzma_code(&stream_, LZMA_FINISH);
    written = room.size() - stream_.avail_out;
    return status == LZMA_STREAM_END ? Step::kEnd : status == LZMA_OK ? Step::kMore : Step::kDamaged;
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool is_open_ = false;
};

class Unzstd {
 public:
  explicit Unzstd(Bytes packed)
      : context_(ZSTD_createDCtx(), &ZSTD_freeDCtx), in_{packed.data(), packed.size(), 0} {}

  Step step(std::span<std::byte> room, size_t& written) {
    if (context_ == nullptr) return Step::kDamaged;
    ZSTD_outBuffer out{room.data(), room.size(), 0};
    size_t position = in_.pos;
    size_t result = ZSTD_decompressStream(context_.get(), &out, &in_);
    written = out.pos;
    if (ZSTD_isError(result) != 0) return Step::kDamaged;
    bool is_used_up = in_.pos == in_.size;
    if (result == 0 && is_used_up) return Step::kEnd;
    bool is_stuck = in_.pos == position && written == 0;
    return is_stuck || (is_used_up && out.pos < out.size) ? Step::kDamaged : Step::kMore;
  }

 private:
  std::unique_ptr<ZSTD_DCtx, size_t (*)(ZSTD_DCtx*)> context_;
  ZSTD_inBuffer in_;
};

template <typename Decoder>
Result<std::vector<std::byte>> unpack_with(Bytes packed, size_t max_bytes, std::string_view name) {
  constexpr size_t kFirstRoom = size_t{1} << 16;
  Decoder decoder(packed);
  std::vector<std::byte> out;
  for (size_t filled = 0;;) {
    // One byte more than allowed, which is never filled by data within the limit.
    size_t room = std::min(std::max(kFirstRoom, filled), max_bytes - filled + 1);
    out.resize(filled + room);
    size_t written = 0;
    Step step = decoder.step(std::span(out).subspan(filled), written);
    filled += written;
    if (step == Step::kDamaged)
      return make_error(ErrorCode::kDamaged, "its {} data is damaged or cut off", name);
    if (filled > max_bytes) {
      return make_error(ErrorCode::kDamaged,
                        "its {} of {} data unpack to more than {}, the limit for data of that size",
                        byte_size_text(packed.size()), name, byte_size_text(max_bytes));
    }
    out.resize(filled);
    if (step == Step::kEnd) return out;
  }
}

}  // namespace

std::optional<Packing> packing_of(Bytes file) {
  std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (text.starts_with("\x1f\x8b\x08")) return Packing::kGzip;
  if (text.starts_with(std::string_view("\xfd"
                                        "7zXZ\0",
                                        6)))
    return Packing::kXz;
  if (text.starts_with("\x28\xb5\x2f\xfd")) return Packing::kZstd;
  return std::nullopt;
}

Result<std::vector<std::byte>> unpack(Packing packing, Bytes packed, size_t max_bytes) {
  switch (packing) {
    case Packing::kGzip:
      return unpack_with<Gunzip>(packed, max_bytes, "gzip");
    case Packing::kXz:
      return unpack_with<Unxz>(packed, max_bytes, "xz");
    default:
      return unpack_with<Unzstd>(packed, max_bytes, "zstd");
  }
}

}  // namespace hm
