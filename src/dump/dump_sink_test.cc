// SPDX-License-Identifier: MIT
#include "dump/dump_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "base/text_file.h"
#include "dump/reader.h"
#include "record/comm.h"
#include "record/example_recording.h"
#include "record/mmap.h"
#include "record/reader.h"
#include "record/sample.h"

namespace hm::dump {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t kPeriodAsked = 1000;

record::EventDescription some_event() {
  record::EventDescription event{"l1_cache_miss", {}, {}};
  event.attr.size = sizeof event.attr;
  event.attr.sample_period = kPeriodAsked;
  event.attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD;
  return event;
}

class SinkOfSamples : public ::testing::Test {
 protected:
  void begin(DumpOptions options) {
    options.path = folder_.file("dump");
    sink_.emplace(std::move(options));
    ASSERT_TRUE(sink_->begin({{some_event()}, {}, 0}).ok());
  }

  void add(uint32_t type, uint16_t misc, const ByteWriter& payload) {
    sink_->take({type, misc, false, payload.bytes(), 0});
  }
  void add_sample(uint64_t time_ns, uint64_t period, uint64_t ip = 0x401000) {
    record::Sample sample;
    sample.ip = ip;
    sample.pid = sample.tid = 7;
    sample.time_ns = time_ns;
    sample.period = period;
    ByteWriter payload;
    record::encode_sample(some_event().attr, sample, payload);
    add(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, payload);
  }

  Dump finish(const std::string& run = "") {
    record::Features features;
    if (!run.empty()) features.hardmeter = run;
    return finish(features);
  }
  Dump finish(const record::Features& features) {
    EXPECT_TRUE(sink_->finish(features).ok());
    text_ = read_text(folder_.file("dump")).value_or("");
    Result<Dump> dump = read(text_);
    EXPECT_TRUE(dump.ok());
    return dump.ok() ? *dump : Dump();
  }
  std::string extent(const std::string& run) { return finish(run).header.extent; }

  record::example::TemporaryFolder folder_;
  std::optional<DumpSink> sink_;
  std::string text_;
};

// As for a recording in bursts, in which a sample represents fewer events than the requested period.
TEST_F(SinkOfSamples, HasThePeriodThatWasMeasured) {
  begin({});
  add_sample(1, 771);
  add_sample(2, 771);
  EXPECT_EQ(finish().header.events_per_sample, (Period{771, 771, 771}));
  EXPECT_THAT(text_, HasSubstr("# events per sample: 771  "));
}

// The processor determines the moment of the registers (profile/computed_addresses.h).
TEST_F(SinkOfSamples, NamesTheProcessor) {
  begin({});
  add_sample(1, 10);
  record::Features features;
  features.cpu_id = "GenuineIntel-6-143-8";
  std::vector<std::byte> bytes = as_recording(finish(features));
  auto reader = record::Reader::over(bytes);
  ASSERT_TRUE(reader.ok());
  while (reader->next()) {
  }
  EXPECT_EQ(reader->features().cpu_id, features.cpu_id);
}

TEST_F(SinkOfSamples, HasTheMeanOfPeriodsThatVary) {
  begin({});
  add_sample(1, 90);
  add_sample(2, 120);
  Dump dump = finish();
  EXPECT_EQ(dump.header.events_per_sample, (Period{105, 90, 120}));
  EXPECT_THAT(text_, HasSubstr("# events per sample: 105 (the mean, from 90 to 120)  "));
  std::vector<std::byte> bytes = as_recording(dump);
  auto reader = record::Reader::over(bytes);
  ASSERT_TRUE(reader.ok());
  uint64_t events = 0;
  while (auto record = reader->next()) {
    if (record->type != PERF_RECORD_SAMPLE) continue;
    auto sample = record::decode_sample(reader->events()[0].attr, record->payload, record->swap);
    ASSERT_TRUE(sample.ok());
    events += sample->period;
  }
  EXPECT_EQ(events, 210u);
}

TEST_F(SinkOfSamples, HasAllOfTheRunIfItWasNotStopped) {
  begin({.max_samples = 3});
  add_sample(1, 10);
  EXPECT_EQ(extent(R"({"totals":{"l1_cache_miss":100}})"), "all");
  EXPECT_EQ(sink_->limit(), "");
}

TEST_F(SinkOfSamples, SaysWhichPartOfTheEventsItHas) {
  begin({.max_samples = 2});
  add_sample(1, 10);
  add_sample(2, 10);
  std::string told =
      "stopped at 2 samples: the first 20 % of 100 events; later events are counted but not sampled";
  EXPECT_EQ(extent(R"({"totals":{"l1_cache_miss":100}})"), told);
  EXPECT_THAT(text_, HasSubstr(R"("shortfalls":[")" + told));
}

TEST_F(SinkOfSamples, StoppedAtTheLastSampleHasAll) {
  begin({.max_samples = 2});
  add_sample(1, 10);
  add_sample(2, 10);
  EXPECT_EQ(extent(R"({"totals":{"l1_cache_miss":29}})"), "all");
}

TEST_F(SinkOfSamples, SaysWhichPartOfTheTimeItHas) {
  begin({.max_samples = 2});
  add_sample(1'000'000'000, 10);
  add_sample(1'500'000'000, 10);
  EXPECT_EQ(extent(R"({"elapsed_ns":2000000000})"),
            "stopped at 2 samples: about 25 % of 2 s; the rest was not measured");
}

TEST_F(SinkOfSamples, SaysThatItStoppedIfNothingElseIsKnown) {
  begin({.max_samples = 1});
  add_sample(1, 10);
  EXPECT_EQ(extent(""), "stopped at 1 samples; the rest was not measured");
}

TEST_F(SinkOfSamples, OfARecordingSaysHowManyAreLeftOut) {
  begin({.max_samples = 2, .gets_all_samples = true});
  for (uint64_t time_ns : {1, 2, 3}) add_sample(time_ns, 10);
  EXPECT_EQ(extent(R"({"totals":{"l1_cache_miss":30}})"), "the first 2 of 3 samples");
}

// Kernel code is distinguished from process code by its address.
TEST_F(SinkOfSamples, KeepsTheKernelApart) {
  begin({});
  ByteWriter kernel, data;
  record::encode_mmap({.pid = kKernelPid,
                       .address = 0xffffffff81000000,
                       .length = 0x1000000,
                       .file_offset = 0xffffffff81000000,
                       .path = "[kernel.kallsyms]_text"},
                      kernel);
  add(PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, kernel);
  record::Mmap table{.pid = 7, .tid = 7, .address = 0x600000, .length = 0x1000, .path = "/bin/a"};
  table.executable = false;
  table.protection = PROT_READ | PROT_WRITE;
  table.flags = MAP_SHARED;
  table.identity = record::FileIdentity{8, 1, 77, 0};
  record::encode_mmap(table, data);
  add(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA, data);
  add_sample(1, 10, 0xffffffff81001000);
  add_sample(2, 10, 0x401000);
  std::vector<std::byte> bytes = as_recording(finish());
  EXPECT_THAT(text_, HasSubstr("# data mapping: 7 600000-601000 0 rw-s 8:1 77 /bin/a\n"));
  auto reader = record::Reader::over(bytes);
  ASSERT_TRUE(reader.ok());
  std::vector<std::pair<uint32_t, int>> found;
  while (auto record = reader->next()) {
    if (record->type < record::kHeaderAttr)
      found.emplace_back(record->type, record->misc & PERF_RECORD_MISC_CPUMODE_MASK);
    if (record->type != PERF_RECORD_MMAP2) continue;
    auto mmap = record::decode_mmap(*record);
    ASSERT_TRUE(mmap.ok());
    EXPECT_FALSE(mmap->executable);
    EXPECT_EQ(mmap->identity, table.identity);
    EXPECT_EQ(mmap->flags, uint32_t{MAP_SHARED});
  }
  EXPECT_THAT(found, ::testing::ElementsAre(std::pair(PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL),
                                            std::pair(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER),
                                            std::pair(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL),
                                            std::pair(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER)));
}

}  // namespace
}  // namespace hm::dump
