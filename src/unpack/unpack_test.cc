// SPDX-License-Identifier: MIT
#include "unpack/unpack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <string>
#include <string_view>

namespace hm {
namespace {

using testing::HasSubstr;
using Packed = std::vector<std::byte>;

Bytes bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }
std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Packed gzip_of(std::string_view text) {
  constexpr int kGzip = 16, kMemory = 8;
  z_stream stream{};
  EXPECT_EQ(
      deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzip, kMemory, Z_DEFAULT_STRATEGY),
      Z_OK);
  Packed out(deflateBound(&stream, text.size()) + 64);
  stream.next_in = reinterpret_cast<uint8_t*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<unsigned>(text.size());
  stream.next_out = reinterpret_cast<uint8_t*>(out.data());
  stream.avail_out = static_cast<unsigned>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

Packed xz_of(std::string_view text) {
  Packed out(lzma_stream_buffer_bound(text.size()));
  size_t size = 0;
  EXPECT_EQ(
      lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const uint8_t*>(text.data()),
                              text.size(), reinterpret_cast<uint8_t*>(out.data()), &size, out.size()),
      LZMA_OK);
  out.resize(size);
  return out;
}

Packed zstd_of(std::string_view text) {
  Packed out(ZSTD_compressBound(text.size()));
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  return out;
}

struct Packer {
  Packing packing;
  Packed (*pack)(std::string_view);
};
constexpr std::array<Packer, 3> kPackers{
    {{Packing::kGzip, gzip_of}, {Packing::kXz, xz_of}, {Packing::kZstd, zstd_of}}};

TEST(Unpack, GivesBackWhatWasPacked) {
  std::string large;
  for (int i = 0; i < 100'000; ++i) large += std::to_string(i * 7919);
  for (const Packer& packer : kPackers) {
    for (const std::string& text : {std::string(), std::string("one line\n"), large}) {
      Packed packed = packer.pack(text);
      ASSERT_EQ(packing_of(packed), packer.packing);
      Result<std::vector<std::byte>> back = unpack(packer.packing, packed);
      ASSERT_TRUE(back.ok()) << back.error().message;
      EXPECT_EQ(text_of(*back), text);
    }
  }
}

// As `cat a.gz b.gz` and pigz write them.
TEST(Unpack, ReadsAllMembersOfAFile) {
  for (const Packer& packer : kPackers) {
    Packed two = packer.pack("first ");
    Packed second = packer.pack("second");
    two.insert(two.end(), second.begin(), second.end());
    Result<std::vector<std::byte>> back = unpack(packer.packing, two);
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(text_of(*back), "first second");
  }
}

TEST(Unpack, ACutFileIsDamaged) {
  for (const Packer& packer : kPackers) {
    Packed packed = packer.pack("a recording that was cut off while it was copied");
    for (size_t size : {packed.size() - 1, packed.size() / 2, size_t{6}}) {
      Result<std::vector<std::byte>> back = unpack(packer.packing, Bytes(packed).first(size));
      ASSERT_FALSE(back.ok()) << size;
      EXPECT_THAT(back.error().message, HasSubstr("damaged or cut off"));
    }
  }
}

TEST(Unpack, MoreThanTheLimitIsRefused) {
  std::string zeros(size_t{1} << 20, '\0');
  for (const Packer& packer : kPackers) {
    Packed packed = packer.pack(zeros);
    EXPECT_TRUE(unpack(packer.packing, packed, zeros.size()).ok());
    Result<std::vector<std::byte>> back = unpack(packer.packing, packed, zeros.size() - 1);
    ASSERT_FALSE(back.ok());
    EXPECT_THAT(back.error().message, HasSubstr("unpack to more than 1048575 bytes"));
  }
}

TEST(Unpack, OtherFilesAreNotPacked) {
  for (std::string_view text : {"", "PERFILE2", "\x1f", "BZh9"})
    EXPECT_EQ(packing_of(bytes_of(text)), std::nullopt);
}

}  // namespace
}  // namespace hm
