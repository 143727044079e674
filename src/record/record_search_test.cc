// SPDX-License-Identifier: MIT
// Tests how reading continues after damage in the middle of a recording.
#include "record/record_search.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/example_reading.h"

namespace hm::record {
namespace {

using example::Found;
using example::pipe_with;
using example::read_all;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr uint64_t kSearchedSamples = 10;

std::vector<std::byte> good_records() { return example::records(example::events(), kSearchedSamples); }

// Returns the offset of each record.
std::vector<size_t> starts(Bytes records) {
  std::vector<size_t> found;
  for (size_t at = 0; at < records.size();) {
    found.push_back(at);
    ByteReader in(records.subspan(at + 6));
    at += in.u16();
  }
  return found;
}

TEST(RecordSearch, PassesOverAHoleOfZeros) {
  auto records = good_records();
  std::vector<size_t> at = starts(records);
  std::fill(records.begin() + static_cast<ptrdiff_t>(at[4]), records.begin() + static_cast<ptrdiff_t>(at[6]),
            std::byte{0});
  Found found = read_all(pipe_with(records));
  EXPECT_EQ(found.samples, kSearchedSamples - 2);
  EXPECT_THAT(found.problems,
              ElementsAre(HasSubstr(fmt::format("{} bytes that are not records", at[6] - at[4]))));
}

TEST(RecordSearch, PassesOverRecordsWhoseSizeIsDamaged) {
  for (uint16_t size : std::initializer_list<uint16_t>{0, 4, 12, 0xfff8}) {
    auto records = good_records();
    std::vector<size_t> at = starts(records);
    std::memcpy(records.data() + at[5] + 6, &size, sizeof size);
    Found found = read_all(pipe_with(records));
    EXPECT_EQ(found.samples, kSearchedSamples - 1) << size;
    EXPECT_THAT(found.problems, ElementsAre(HasSubstr("(in 1 positions, "))) << size;
  }
}

TEST(RecordSearch, CountsAllPlaces) {
  auto records = good_records();
  std::vector<size_t> at = starts(records);
  records[at[2]] = records[at[9]] = std::byte{0};  // a record of type 0 is invalid
  Found found = read_all(pipe_with(records));
  EXPECT_EQ(found.samples, kSearchedSamples - 2);
  EXPECT_THAT(found.problems, ElementsAre(HasSubstr("(in 2 positions, ")));
}

TEST(RecordSearch, ZerosToTheEndEndTheReading) {
  auto records = good_records();
  records.resize(records.size() + 4096);
  Found found = read_all(pipe_with(records));
  EXPECT_EQ(found.samples, kSearchedSamples);
  EXPECT_THAT(found.problems, ElementsAre(HasSubstr("4096 zeros instead of records")));
}

TEST(RecordSearch, AFewZerosAtTheEndArePadding) {
  auto records = good_records();
  records.resize(records.size() + 4095);
  Found found = read_all(pipe_with(records));
  EXPECT_EQ(found.samples, kSearchedSamples);
  EXPECT_TRUE(found.problems.empty());
}

TEST(RecordSearch, TextAmidThePipeIsPassedOver) {
  auto records = good_records();
  std::string text = "[ perf record: Woken up 1 times ]\n";
  auto bytes = std::as_bytes(std::span(text));
  records.insert(records.begin() + static_cast<ptrdiff_t>(starts(records)[5]), bytes.begin(), bytes.end());
  Found found = read_all(pipe_with(records));
  EXPECT_EQ(found.samples, kSearchedSamples);
  EXPECT_THAT(found.problems, ElementsAre(HasSubstr(fmt::format("{} bytes that are no", text.size()))));
}

TEST(RecordSearch, OneLookalikeIsNotEnough) {
  ByteWriter out;
  for (int i = 0; i < 8; ++i) out.u64(~uint64_t{0});
  ASSERT_TRUE(append_record(out, PERF_RECORD_COMM, 0, {}).ok());
  for (int i = 0; i < 8; ++i) out.u64(~uint64_t{0});
  EXPECT_EQ(find_records(out.bytes(), 0, false), std::nullopt);
  EXPECT_EQ(find_records({}, 1, false), std::nullopt);
}

TEST(RecordSearch, KnowsTheOtherByteOrder) {
  ByteWriter out;
  out.u64(~uint64_t{0});
  out.u32(byte_swap(uint32_t{kFinishedRound}));
  out.u16(0);
  out.u16(byte_swap(uint16_t{kRecordHeaderBytes}));
  out.u64(~uint64_t{0});
  EXPECT_EQ(find_records(out.bytes(), 0, true), 8u);
  EXPECT_EQ(find_records(out.bytes(), 0, false), std::nullopt);
}

}  // namespace
}  // namespace hm::record
