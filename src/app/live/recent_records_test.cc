// SPDX-License-Identifier: MIT
#include "app/live/recent_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/temporary_folder.h"
#include "record/comm.h"
#include "record/reader.h"
#include "record/sample.h"

namespace hm::live {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr size_t kMaxBytes = 64 * 1024;

record::EventDescription event() {
  record::EventDescription event;
  event.name = "clock";
  event.attr.size = sizeof event.attr;
  event.attr.type = PERF_TYPE_SOFTWARE;
  event.attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME;
  event.attr.sample_period = 1;
  event.ids = {1};
  return event;
}

class Recent : public ::testing::Test {
 protected:
  void begin() {
    record::RecordingStart start;
    start.events = {event()};
    ASSERT_TRUE(records.begin(start).ok());
  }
  void sample(uint64_t time_ns) {
    ByteWriter payload;
    record::Sample sample;
    sample.type = event().attr.sample_type;
    sample.time_ns = time_ns;
    record::encode_sample(event().attr, sample, payload);
    append(PERF_RECORD_SAMPLE, payload);
  }
  void name(const std::string& name) {
    ByteWriter payload;
    record::encode_comm({7, 7, name, false}, payload);
    append(PERF_RECORD_COMM, payload);
  }
  void append(uint32_t type, const ByteWriter& payload) {
    ByteWriter record;
    ASSERT_TRUE(record::append_record(record, type, 0, payload.bytes()).ok());
    ASSERT_TRUE(records.append(record.bytes()).ok());
  }

  // Data that a reader finds in the saved recording: the times of samples, and the names.
  struct Saved {
    std::vector<uint64_t> times;
    std::vector<std::string> names;
  };
  Saved saved() {
    EXPECT_TRUE(records.save(folder.file("saved")).ok());
    Result<record::Reader> reader = record::Reader::open(folder.file("saved"));
    Saved found;
    if (!reader) {
      ADD_FAILURE() << reader.error().message;
      return found;
    }
    while (auto record = reader->next()) {
      if (record->type == PERF_RECORD_SAMPLE)
        found.times.push_back(
            record::decode_sample(event().attr, record->payload, record->swap).value().time_ns);
      else if (record->type == PERF_RECORD_COMM)
        found.names.emplace_back(record::decode_comm(*record).value().name);
    }
    EXPECT_THAT(reader->problems(), IsEmpty());
    return found;
  }

  TemporaryFolder folder;
  RecentRecords records{kMaxBytes};
};

TEST_F(Recent, AreARecordingAtAnyTime) {
  EXPECT_EQ(records.save(folder.file("saved")).error().code, ErrorCode::kNotFound);
  begin();
  EXPECT_THAT(saved().times, IsEmpty());
  name("first");
  sample(1);
  sample(2);
  EXPECT_THAT(saved().times, ElementsAre(1, 2));
  sample(3);
  EXPECT_THAT(saved().times, ElementsAre(1, 2, 3));
  EXPECT_THAT(saved().names, ElementsAre("first"));
}

TEST_F(Recent, ForgetTheOldestSamplesButNoNames) {
  begin();
  name("first");
  constexpr uint64_t kSamples = 100'000;
  for (uint64_t i = 1; i <= kSamples; ++i) sample(i);
  Saved found = saved();
  EXPECT_THAT(found.names, ElementsAre("first"));
  ASSERT_FALSE(found.times.empty());
  constexpr size_t kSampleBytes = 24;
  EXPECT_GT(found.times.size(), kMaxBytes / kSampleBytes * 9 / 10);
  EXPECT_LT(found.times.size(), kMaxBytes / kSampleBytes * 11 / 10);
  EXPECT_EQ(found.times.back(), kSamples);
  EXPECT_EQ(found.times.front(), kSamples - found.times.size() + 1);
  EXPECT_GT(records.bytes(), kSamples * kSampleBytes);
}

TEST_F(Recent, ForgetOldNamesWhereThereAreTooMany) {
  begin();
  for (int i = 0; i < 10'000; ++i) {
    name("name " + std::to_string(i));
    sample(i);
    sample(i);
  }
  Saved found = saved();
  EXPECT_EQ(found.names.back(), "name 9999");
  EXPECT_LT(found.names.size(), 2 * kMaxBytes / 24);
  EXPECT_GT(found.times.size(), kMaxBytes / 24 * 9 / 10);
}

}  // namespace
}  // namespace hm::live
