// SPDX-License-Identifier: MIT
#include "analysis/sizes/size_curves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "profile/test_recording.h"
#include "symbol/file_resolver.h"

namespace hm::sizes {
namespace {

using ::testing::HasSubstr;

const symbol::FileResolver kResolver;
constexpr uint64_t kText = 0x400000;
// 64 and 128 sets of 1 to 4 ways: 4 to 16 and 8 to 32 KiB.
constexpr const char* kCounted =
    R"({"sizes":{"least_sets":64,"set_counts":2,"ways":4,"line_bytes":64,"accesses":1000,"unplaced_accesses":3,
        "misses":[[900,800,700,600],[850,500,100,80]]}})";

constexpr record::MissClass kNoClass = record::MissClass::kNone;

// The format in which the engines append it to a sample.
struct [[gnu::packed]] Raw {
  record::SampleExtension access{
      record::kExtensionMagic,   0, 8, record::AccessKind::kLoad, kNoClass, kNoClass, kNoClass,
      record::LoadReplay::kNone, {}};
  record::DepthsExtension depths{record::kDepthsMagic, 6, 2, 4, 6, {}};
};

profile::TestRecording recording(const std::string& description = kCounted,
                                 const char* event = "memory_moves") {
  profile::TestRecording made({profile::test_event(event, 1, PERF_SAMPLE_RAW | PERF_SAMPLE_PERIOD)});
  made.features.hardmeter = description;
  made.map(1, 7, kText, 0x1000, "program");
  return made;
}

void add_sample(profile::TestRecording& to, uint64_t ip, uint8_t depth_of_64, uint8_t depth_of_128) {
  Raw raw;
  raw.depths.depth[0] = depth_of_64;
  raw.depths.depth[1] = depth_of_128;
  record::Sample sample;
  sample.period = 10;
  sample.raw = std::as_bytes(std::span(&raw, 1));
  to.sample(10, 7, ip, sample);
}

Sizes sizes_of(const profile::TestRecording& made) {
  Result<Sizes> sizes = find_sizes(made.load(), kResolver, {});
  EXPECT_TRUE(sizes.ok()) << (sizes.ok() ? "" : sizes.error().message);
  return sizes.ok() ? *sizes : Sizes{};
}

std::vector<uint64_t> kib_of(const Curve& curve) {
  std::vector<uint64_t> all;
  for (const Point& point : curve) all.push_back(point.bytes >> 10);
  return all;
}

TEST(Sizes, OfTheRunAreWhatWasCounted) {
  Sizes sizes = sizes_of(recording());
  EXPECT_EQ(sizes.counted.accesses, 1000u);
  EXPECT_EQ(sizes.counted.unplaced_accesses, 3u);
  EXPECT_EQ(kib_of(sizes.curve), (std::vector<uint64_t>{12, 16, 24, 32}))
      << "of one size that with the most ways";
  EXPECT_DOUBLE_EQ(sizes.curve[1].missed.value, 0.6);
  EXPECT_EQ(sizes.curve[1].sets, 64u);
  EXPECT_DOUBLE_EQ(sizes.curve[3].missed.value, 0.08);
  ASSERT_TRUE(sizes.need.has_value());
  EXPECT_EQ(sizes.need->enough.bytes, 24u << 10);
  EXPECT_EQ(sizes.need->smaller.bytes, 16u << 10);
  EXPECT_DOUBLE_EQ(sizes.need->times.value_or(0), 6);
  EXPECT_TRUE(sizes.rows.empty());
}

TEST(Sizes, OfPagesStandBeside) {
  std::string counted = kCounted;
  counted.insert(counted.rfind("}}"),
                 R"(,"further":[{"least_sets":1,"set_counts":1,"ways":4,"line_bytes":4096,"accesses":10,
                    "misses":[[9,8,7,2]]},{"least_sets":3},7])");
  Sizes sizes = sizes_of(recording(counted));
  ASSERT_EQ(sizes.further.size(), 1u) << "those that make no sense are left out";
  EXPECT_TRUE(sizes.further[0].counted.of_pages());
  EXPECT_EQ(kib_of(sizes.further[0].curve), (std::vector<uint64_t>{12, 16}));
  EXPECT_DOUBLE_EQ(sizes.further[0].curve[1].missed.value, 0.2);
  EXPECT_EQ(sizes.counted.further.at(0).misses, sizes.further[0].counted.misses);
}

TEST(Sizes, OfAFunctionAreThoseOfItsSamples) {
  profile::TestRecording made = recording();
  for (int i = 0; i < 30; ++i) add_sample(made, kText + 0x10, 4, 2);
  for (int i = 0; i < 10; ++i) add_sample(made, kText + 0x10, 0, 0);
  for (int i = 0; i < 10; ++i) add_sample(made, kText + 0x800, 4, 4);
  Sizes sizes = sizes_of(made);
  EXPECT_EQ(sizes.event, "memory_moves");
  EXPECT_EQ(sizes.samples, 50u);
  ASSERT_EQ(sizes.rows.size(), 2u);
  const Row& first = sizes.rows[0];
  EXPECT_DOUBLE_EQ(first.share.value, 0.8);
  EXPECT_EQ(first.samples, 40u);
  ASSERT_EQ(kib_of(first.curve), (std::vector<uint64_t>{12, 16, 24, 32}));
  EXPECT_DOUBLE_EQ(first.curve[1].missed.value, 0.75);
  EXPECT_LT(first.curve[1].missed.low, 0.7);
  EXPECT_DOUBLE_EQ(first.curve[2].missed.value, 0);
  ASSERT_TRUE(first.need.has_value());
  EXPECT_EQ(first.need->enough.bytes, 24u << 10);
  EXPECT_EQ(first.need->times, std::nullopt)
      << "no sample misses there, which does not say that nothing does";
  const Row& second = sizes.rows[1];
  EXPECT_DOUBLE_EQ(second.curve[3].missed.value, 1);
  EXPECT_EQ(second.need, std::nullopt) << "all sizes miss alike";
}

TEST(Sizes, OfLoadsAloneAreNoneOfFunctions) {
  profile::TestRecording made = recording(kCounted, "memory_loads");
  add_sample(made, kText, 0, 0);
  Sizes sizes = sizes_of(made);
  EXPECT_EQ(sizes.event, "");
  EXPECT_TRUE(sizes.rows.empty());
}

TEST(Sizes, ThatMakeNoSenseAreNone) {
  for (
      const char* description :
      {"", "{}", R"({"sizes":1})", R"({"sizes":{"least_sets":64}})",
       R"({"sizes":{"least_sets":63,"set_counts":1,"ways":1,"line_bytes":64,"accesses":1,"misses":[[1]]}})",
       R"({"sizes":{"least_sets":64,"set_counts":2,"ways":1,"line_bytes":64,"accesses":1,"misses":[[1]]}})",
       R"({"sizes":{"least_sets":64,"set_counts":1,"ways":2,"line_bytes":64,"accesses":1,"misses":[[1]]}})",
       R"({"sizes":{"least_sets":64,"set_counts":1,"ways":1,"line_bytes":64,"accesses":1,"misses":[[2]]}})",
       R"({"sizes":{"least_sets":64,"set_counts":1,"ways":2,"line_bytes":64,"accesses":9,"misses":[[1,2]]}})",
       R"({"sizes":{"least_sets":64,"set_counts":1,"ways":1,"line_bytes":64,"accesses":1,"misses":[["1"]]}})",
       R"({"sizes":{"least_sets":64,"set_counts":17,"ways":1,"line_bytes":64,"accesses":1,"misses":[[1]]}})"}) {
    Result<Sizes> sizes = find_sizes(recording(description).load(), kResolver, {});
    ASSERT_FALSE(sizes.ok()) << description;
    EXPECT_EQ(sizes.error().code, ErrorCode::kNotFound);
    EXPECT_THAT(sizes.error().message, HasSubstr("--sizes"));
  }
}

}  // namespace
}  // namespace hm::sizes
