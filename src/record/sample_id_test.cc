// SPDX-License-Identifier: MIT
#include "record/sample_id.h"

#include <gtest/gtest.h>

#include <random>

#include "record/example_recording.h"

namespace hm::record {
namespace {

TEST(SampleId, RandomOnesComeBack) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 500; ++round) {
    perf_event_attr attr{};
    attr.sample_type = random() & example::kAllSampleFields;
    attr.sample_id_all = 1;
    SampleId wrote{.type = attr.sample_type & kSampleIdFields};
    if ((wrote.type & PERF_SAMPLE_TID) != 0) wrote.pid = wrote.tid = static_cast<uint32_t>(random());
    if ((wrote.type & PERF_SAMPLE_TIME) != 0) wrote.time_ns = random();
    if ((wrote.type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER)) != 0) wrote.id = random();
    if ((wrote.type & PERF_SAMPLE_STREAM_ID) != 0) wrote.stream_id = random();
    if ((wrote.type & PERF_SAMPLE_CPU) != 0) wrote.cpu = static_cast<uint32_t>(random());
    ByteWriter payload;
    encode_comm({.pid = 1, .tid = 2, .name = "a"}, payload);
    encode_sample_id(attr, wrote, payload);
    Record record{.type = PERF_RECORD_COMM, .payload = payload.bytes()};
    EXPECT_EQ(decode_sample_id(attr, record), wrote);
    EXPECT_EQ(decode_comm(record)->name, "a");
  }
}

TEST(SampleId, IsNotThereWhereTheEventHasNone) {
  perf_event_attr attr{};
  attr.sample_type = PERF_SAMPLE_TID;
  std::vector<std::byte> payload(64, std::byte{1});
  EXPECT_EQ(decode_sample_id(attr, {.type = PERF_RECORD_COMM, .payload = payload}), SampleId{});
  attr.sample_id_all = 1;
  EXPECT_EQ(decode_sample_id(attr, {.type = PERF_RECORD_SAMPLE, .payload = payload}), SampleId{});
  EXPECT_EQ(decode_sample_id(attr, {.type = kThreadMap, .payload = payload}), SampleId{});
  EXPECT_EQ(decode_sample_id(attr, {.type = PERF_RECORD_COMM, .payload = Bytes(payload).first(4)}),
            SampleId{});
  EXPECT_EQ(decode_sample_id(attr, {.type = PERF_RECORD_COMM, .payload = payload}).pid, 0x01010101u);
}

}  // namespace
}  // namespace hm::record
