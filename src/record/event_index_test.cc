// SPDX-License-Identifier: MIT
#include "record/event_index.h"

#include <gtest/gtest.h>

#include <random>

#include "record/example_recording.h"

namespace hm::record {
namespace {

// For random combinations of fields, the index finds the id that the decoder finds.
TEST(EventIndex, FindsTheEventOfASampleWithoutDecodingIt) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 500; ++round) {
    uint64_t type = random() & example::kAllSampleFields;
    std::vector<EventDescription> events = example::events(type);
    EventIndex index(events);
    bool has_id = (type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER)) != 0;
    ByteWriter out;
    example::append_sample(events[1], 1, out);
    Record sample{.type = PERF_RECORD_SAMPLE, .payload = out.bytes().subspan(kRecordHeaderBytes)};
    EXPECT_EQ(index.of_record(sample), has_id ? 1u : 0u);
    ByteWriter payload;
    encode_comm({.pid = 1, .tid = 1, .name = "a"}, payload);
    encode_sample_id(events[1].attr, {.id = 102}, payload);
    EXPECT_EQ(index.of_record({.type = PERF_RECORD_COMM, .payload = payload.bytes()}), has_id ? 1u : 0u);
  }
}

TEST(EventIndex, SaysThatItDoesNotKnow) {
  EXPECT_EQ(EventIndex().of_record({.type = PERF_RECORD_SAMPLE}), std::nullopt);
  EventIndex index(example::events());
  EXPECT_EQ(index.of_id(103), std::nullopt);
  EXPECT_EQ(index.of_id(0), 0u);
  EXPECT_EQ(index.of_record({.type = PERF_RECORD_SAMPLE}), std::nullopt);
  EXPECT_EQ(EventIndex({example::events()[0]}).of_record({.type = PERF_RECORD_SAMPLE}), 0u);
}

}  // namespace
}  // namespace hm::record
