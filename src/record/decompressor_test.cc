// SPDX-License-Identifier: MIT
#include "record/decompressor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include "record/example_reading.h"

namespace hm::record {
namespace {

using example::Found;
using example::pipe_with;
using example::read_all;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Returns the records of the example as one zstd stream, cut every `piece` bytes of input. The stream is
// flushed at each cut but never ended.
std::vector<std::byte> compressed_pipe(uint32_t type, size_t piece) {
  auto records = example::records(example::events(), 50);
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  ByteWriter out;
  for (Bytes rest(records); !rest.empty(); rest = rest.subspan(std::min(piece, rest.size()))) {
    std::vector<std::byte> buffer(ZSTD_compressBound(piece) + 64);
    ZSTD_inBuffer in{rest.data(), std::min(piece, rest.size()), 0};
    ZSTD_outBuffer compressed{buffer.data(), buffer.size(), 0};
    EXPECT_EQ(ZSTD_compressStream2(context.get(), &compressed, &in, ZSTD_e_flush), 0u);
    ByteWriter payload;
    if (type == kCompressed2) payload.u64(compressed.pos);
    payload.append(Bytes(buffer).first(compressed.pos));
    // perf's COMPRESSED record is not padded: its size marks the end of the compressed data.
    out.u32(type);
    out.u16(0);
    size_t padding = type == kCompressed2 ? (8 - payload.size() % 8) % 8 : 0;
    out.u16(static_cast<uint16_t>(kRecordHeaderBytes + payload.size() + padding));
    out.append(payload.bytes());
    for (size_t i = 0; i < padding; ++i) out.u8(0);
  }
  return pipe_with(out.bytes());
}

TEST(Decompressor, CompressedRecordsMayBeCutAnywhere) {
  for (uint32_t type : {kCompressed, kCompressed2}) {
    for (size_t piece : {1000u, 100u, 7u}) {
      Found found = read_all(compressed_pipe(type, piece));
      EXPECT_EQ(found.samples, 50u) << record_name(type) << ' ' << piece;
      EXPECT_THAT(found.problems, IsEmpty());
    }
  }
}

TEST(Decompressor, CompressedRecordsStayWhereTheyAre) {
  auto recording = compressed_pipe(kCompressed, 100);
  auto opened = Reader::over(recording);
  ASSERT_TRUE(opened.ok());
  Reader reader = std::move(*opened);
  std::vector<Record> samples;
  while (auto record = reader.next()) {
    if (record->type == PERF_RECORD_SAMPLE) samples.push_back(*record);
  }
  Reader moved = std::move(reader);
  for (size_t i = 0; i < samples.size(); ++i) {
    auto sample = decode_sample(moved.events()[0].attr, samples[i].payload, false);
    ASSERT_TRUE(sample.ok());
    EXPECT_EQ(sample->time_ns, 1'000'000 + 1000 * i);
  }
}

TEST(Decompressor, ACompressedStreamThatEndsEarlyIsAProblem) {
  auto recording = compressed_pipe(kCompressed, 100);
  Found found = read_all(Bytes(recording).first(recording.size() - 40));
  EXPECT_LT(found.samples, 50u);
  EXPECT_THAT(found.problems, Not(IsEmpty()));
}

TEST(Decompressor, ACompressedStreamThatExplodesIsRefused) {
  std::vector<std::byte> zeros(size_t{256} << 20);
  std::vector<std::byte> bomb(ZSTD_compressBound(zeros.size()));
  bomb.resize(ZSTD_compress(bomb.data(), bomb.size(), zeros.data(), zeros.size(), 1));
  ASSERT_LT(bomb.size(), 60'000u);
  ByteWriter out;
  ASSERT_TRUE(append_record(out, kCompressed, 0, bomb).ok());
  Found found = read_all(pipe_with(out.bytes()));
  EXPECT_THAT(found.problems, ElementsAre(HasSubstr("expands to more than")));
}

TEST(Decompressor, DamagedCompressionIsOneProblem) {
  ByteWriter out;
  std::vector<std::byte> noise(64, std::byte{0x55});
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(append_record(out, kCompressed, 0, noise).ok());
  Found found = read_all(pipe_with(out.bytes()));
  EXPECT_THAT(found.kinds,
              ElementsAre("HEADER_ATTR", "HEADER_ATTR", "COMPRESSED", "COMPRESSED", "COMPRESSED"));
  EXPECT_THAT(found.problems, ElementsAre(HasSubstr("zstd")));
}

}  // namespace
}  // namespace hm::record
