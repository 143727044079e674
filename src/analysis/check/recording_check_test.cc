// SPDX-License-Identifier: MIT
#include "analysis/check/recording_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>

#include "base/json.h"
#include "record/aux.h"
#include "record/example_real.h"
#include "record/example_recording.h"
#include "record/file_header.h"
#include "record/writer.h"

namespace hm::analysis {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Compares with the counts of an independent decoder. Totals missing there belong to fields that were not
// recorded.
void expect_counts(const CheckResult& result, const json& expected) {
  EXPECT_EQ(json(result.records), expected["records"]);
  EXPECT_EQ(result.samples, expected["samples"]);
  EXPECT_EQ(json(result.samples_per_event), expected["samples_per_attr"]);
  const json& totals = expected["totals"];
  EXPECT_EQ(result.samples, totals["ok"]) << "every sample must have been decoded";
  EXPECT_EQ(result.sum(Sum::kPeriod).value_or(0), totals.value("period_sum", uint64_t{0}));
  EXPECT_EQ(result.sum(Sum::kBranchEntries).value_or(0), totals.value("br_entries", uint64_t{0}));
  EXPECT_EQ(result.sum(Sum::kCallchainIps).value_or(0), totals.value("cc_ips", uint64_t{0}));
  EXPECT_EQ(result.sum(Sum::kAddresses).value_or(0), totals.value("addr_nz", uint64_t{0}));
  EXPECT_EQ(result.sum(Sum::kStackBytes).value_or(0), totals.value("ustack_dyn", uint64_t{0}));
}

TEST(Check, RealRecordingsGiveTheCountsOfAnIndependentDecoder) {
  json list = record::example::expected_of_real_recordings();
  if (list.empty()) GTEST_SKIP() << record::example::why_no_real_recordings();
  for (const json& expected : list) {
    std::string name = expected["name"];
    SCOPED_TRACE(name);
    auto reader = record::Reader::open((record::example::real_recordings() / name).string());
    ASSERT_TRUE(reader.ok()) << reader.error().message;
    EXPECT_EQ(reader->is_pipe(), expected["mode"] == "pipe");
    CheckResult result = check(*reader);
    expect_counts(result, expected);
    EXPECT_EQ(json(result.problems), json::array());
  }
}

std::vector<std::byte> write_recording(const std::vector<record::EventDescription>& events, Bytes records,
                                       const record::Features& features = {}) {
  record::example::TemporaryFolder folder;
  auto writer = record::Writer::create(folder.file("perf.data"), events);
  EXPECT_TRUE(writer.ok() && writer->append(records).ok() && writer->finish(features).ok());
  return record::example::read_file(folder.file("perf.data"));
}

CheckResult check_bytes(Bytes recording) {
  auto reader = record::Reader::over(recording);
  EXPECT_TRUE(reader.ok());
  return reader.ok() ? check(*reader) : CheckResult{};
}

TEST(Check, CountsWhatWasWritten) {
  auto events = record::example::events();
  CheckResult result = check_bytes(write_recording(events, record::example::records(events, 5)));
  EXPECT_EQ(result.records,
            (std::map<std::string, uint64_t>{{"COMM", 1}, {"MMAP2", 1}, {"SAMPLE", 5}, {"EXIT", 1}}));
  EXPECT_EQ(result.samples, 5u);
  EXPECT_THAT(result.samples_per_event, ElementsAre(3, 2));
  EXPECT_EQ(result.sum(Sum::kPeriod), 5 * record::example::kPeriod);
  EXPECT_EQ(result.sum(Sum::kBranchEntries), 5u);
  EXPECT_EQ(result.sum(Sum::kCallchainIps), 15u);
  EXPECT_EQ(result.sum(Sum::kStackBytes), std::nullopt);
  EXPECT_EQ(result.lost, 0u);
  EXPECT_THAT(result.problems, IsEmpty());
}

// Recordings of more machines, if available, with the counts of an independent decoder.
TEST(Check, MoreRealRecordings) {
  struct Expected {
    const char* name;
    uint64_t samples;
    Sum sum;
    std::optional<uint64_t> value;
  };
  const Expected kExpected[] = {{"d13-pebs-load-latency-ivybridge.perf.data", 125, Sum::kWeight, 3937},
                                {"d14-perffile-v1.perf.data", 0, Sum::kPeriod, std::nullopt},
                                {"d15-armv7-3.14.perf.data", 700, Sum::kPeriod, 72156940},
                                {"d18-groups-4.14.perf.data", 13, Sum::kPeriod, 189722}};
  std::filesystem::path folder = record::example::real_recordings().parent_path() / "perfdata-more";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "there is no " << folder;
  for (const Expected& each : kExpected) {
    SCOPED_TRACE(each.name);
    auto reader = record::Reader::open((folder / each.name).string());
    ASSERT_TRUE(reader.ok()) << reader.error().message;
    CheckResult result = check(*reader);
    EXPECT_EQ(result.samples, each.samples);
    EXPECT_EQ(result.sum(each.sum), each.value);
    EXPECT_THAT(result.problems, IsEmpty());
  }
}

TEST(Check, WithoutAnEventNothingIsMeasured) {
  ByteWriter pipe;
  record::encode_file_header({.is_pipe = true}, pipe);
  EXPECT_THAT(check_bytes(pipe.bytes()).problems,
              ElementsAre("it has no readable record", "it describes no event"));
}

TEST(Check, WhatWasNotRecordedIsNotZero) {
  auto events = record::example::events(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP);
  CheckResult result = check_bytes(write_recording(events, record::example::records(events, 5)));
  EXPECT_EQ(result.samples, 5u);
  EXPECT_EQ(result.sum(Sum::kPeriod), std::nullopt);
  EXPECT_EQ(result.sum(Sum::kBranchEntries), std::nullopt);
  EXPECT_EQ(result.sum(Sum::kCallchainIps), std::nullopt);
}

TEST(Check, SaysWhatWasLost) {
  auto events = record::example::events();
  ByteWriter lost;
  record::encode_lost({.id = 101, .count = 40}, lost);
  ByteWriter lost_samples;
  record::encode_lost_samples(2, lost_samples);
  ByteWriter out;
  record::example::append(events[0].attr, PERF_RECORD_LOST, 0, lost, 1, out);
  record::example::append(events[0].attr, PERF_RECORD_LOST_SAMPLES, 0, lost_samples, 1, out);
  CheckResult result = check_bytes(write_recording(events, out.bytes()));
  EXPECT_EQ(result.lost, 42u);
  EXPECT_THAT(result.problems, ElementsAre(HasSubstr("42 records or samples were lost")));
}

TEST(Check, SaysWhatWasCutShort) {
  auto events = record::example::events();
  record::Features features;
  features.hardmeter = R"({"cut_short_processes": 1})";
  CheckResult result = check_bytes(write_recording(events, record::example::records(events, 5), features));
  EXPECT_EQ(result.samples, 5u) << "what was recorded until then";
  EXPECT_THAT(result.problems, ElementsAre(HasSubstr("processes whose measurement ended early")));
}

TEST(Check, AHardwareTraceIsNoProblem) {
  auto events = record::example::events();
  ByteWriter trace;
  record::encode_auxtrace({.size_bytes = 8}, trace);
  ByteWriter out;
  ASSERT_TRUE(record::append_record(out, record::kAuxtrace, 0, trace.bytes()).ok());
  out.u64(0);
  CheckResult result = check_bytes(write_recording(events, out.bytes()));
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_THAT(result.notes, ElementsAre(HasSubstr("8 bytes of hardware trace")));
}

TEST(Check, CountsBadSamples) {
  auto events = record::example::events();
  ByteWriter unknown_id;
  unknown_id.u64(999);
  ByteWriter too_short;
  too_short.u64(101);
  ByteWriter out;
  ASSERT_TRUE(record::append_record(out, PERF_RECORD_SAMPLE, 0, unknown_id.bytes()).ok());
  ASSERT_TRUE(record::append_record(out, PERF_RECORD_SAMPLE, 0, too_short.bytes()).ok());
  CheckResult result = check_bytes(write_recording(events, out.bytes()));
  EXPECT_EQ(result.samples, 2u);
  EXPECT_THAT(result.samples_per_event, ElementsAre(1, 0));
  EXPECT_THAT(result.problems, ElementsAre(HasSubstr("no event"), HasSubstr("shorter than their fields")));
}

}  // namespace
}  // namespace hm::analysis
