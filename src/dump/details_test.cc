// SPDX-License-Identifier: MIT
#include "dump/details.h"

#include <gtest/gtest.h>

#include "record/extension.h"

namespace hm::dump {
namespace {

Details all_known() {
  Details details;
  details.time_ns = 24661085463871;
  details.period = 203;
  details.cpu = 1;
  details.address = 0x7fffe5029c00;
  details.physical_address = 0x1000;
  details.data_source = 0x68100142;
  details.latency_cycles = 250;
  details.run_cycles = 99;
  details.access_kind = static_cast<uint64_t>(record::AccessKind::kReadModifyWrite);
  details.access_bytes = 8;
  details.l1_class = static_cast<uint64_t>(record::MissClass::kConflict);
  details.l2_class = static_cast<uint64_t>(record::MissClass::kFalseSharing);
  details.l3_class = static_cast<uint64_t>(record::MissClass::kNoHistory);
  details.load_replay = static_cast<uint64_t>(record::LoadReplay::kAlias);
  details.by_kernel = 1;
  details.block_start = 0x5555557592a0;
  details.block_bytes = 1048576;
  details.block_site = 3;
  details.step_1 = static_cast<uint64_t>(int64_t{-4096});
  details.step_2 = 64;
  details.next_line_hits = 1;
  details.huge_page_hits = 0;
  details.reuse_lines_at_least = 16384;
  return details;
}

TEST(Details, AreReadBackAsTheyWereWritten) {
  std::string text = text_of(all_known());
  EXPECT_EQ(
      text,
      "time=24661085463871 period=203 cpu=1 address=00007fffe5029c00 physical=0000000000001000 "
      "kind=read-modify-write bytes=8 source=68100142 latency=250 cycles=99 l1=conflict "
      "l2=false-sharing l3=no-history replay=alias by=kernel block=00005555557592a0 "
      "block-bytes=1048576 block-site=3 step1=-4096 step2=64 next-line=hit huge-page=miss reuse-at-least=16384");
  EXPECT_EQ(parse_details(text), all_known());
}

TEST(Details, ThatAreNotMeasuredAreNotWritten) {
  EXPECT_EQ(text_of({}), "");
  EXPECT_EQ(parse_details(""), Details());
  EXPECT_TRUE(extension_of({}).empty());
}

TEST(Details, SurviveTheWayThroughASample) {
  std::vector<std::byte> raw = extension_of(all_known());
  record::Sample sample;
  sample.type = PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CPU | PERF_SAMPLE_ADDR |
                PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_RAW;
  sample.time_ns = 24661085463871;
  sample.period = 203;
  sample.cpu = 1;
  sample.addr = 0x7fffe5029c00;
  sample.phys_addr = 0x1000;
  sample.data_source = 0x68100142;
  sample.weight = 250;
  sample.raw = raw;
  EXPECT_EQ(details_of(sample), all_known());
}

TEST(Details, OfAnotherVersionAreReadAsFarAsTheyAreKnown) {
  Details expected;
  expected.period = 7;
  EXPECT_EQ(parse_details("colour=blue  period=7"), expected);
  EXPECT_EQ(parse_details("period=x"), std::nullopt);
  EXPECT_EQ(parse_details("period="), std::nullopt);
  EXPECT_EQ(parse_details("l1=green"), std::nullopt);
}

}  // namespace
}  // namespace hm::dump
