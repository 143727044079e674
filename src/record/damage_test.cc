// SPDX-License-Identifier: MIT
// Randomly damaged recordings: each is either refused or read, without a crash, and all views stay within its
// bytes.
#include <gtest/gtest.h>
#include <malloc.h>

#include <random>

#include "record/example_recording.h"
#include "record/reader.h"
#include "record/writer.h"

namespace hm::record {
namespace {

constexpr int kRounds = 4000;

std::vector<std::byte> valid_recording(bool finished) {
  example::TemporaryFolder folder;
  auto events = example::events(example::kAllSampleFields & ~uint64_t{PERF_SAMPLE_WEIGHT_STRUCT});
  Features features;
  features.hostname = "somewhere";
  features.cmdline = {"a", "b"};
  features.pmus = {{.type = 1, .name = "software"}};
  features.build_ids = {{.id = std::vector<std::byte>(20), .path = "/bin/a"}};
  auto writer = Writer::create(folder.file("perf.data"), events, features);
  EXPECT_TRUE(writer.ok() && writer->append(example::records(events, 12)).ok());
  EXPECT_TRUE(!finished || writer->finish(features).ok());
  return example::read_file(folder.file("perf.data"));
}

// Truncates the bytes, or overwrites some of them. Half of the new values are chosen to break sizes and
// counts.
std::vector<std::byte> damage(std::vector<std::byte> bytes, std::mt19937_64& random) {
  if (random() % 4 == 0) bytes.resize(random() % bytes.size());
  size_t changes = bytes.empty() ? 0 : 1 + random() % 8;
  for (size_t i = 0; i < changes; ++i) {
    constexpr std::array kNasty{0x00, 0x01, 0x7f, 0x80, 0xff};
    bool nasty = random() % 2 == 0;
    bytes[random() % bytes.size()] =
        static_cast<std::byte>(nasty ? kNasty[random() % kNasty.size()] : random() % 256);
  }
  return bytes;
}

// Reads every byte of all views, so that a sanitizer detects accesses out of bounds.
uint64_t touch(const Sample& sample) {
  uint64_t sum = sample.ip;
  for (uint64_t word : sample.callchain) sum += word;
  for (size_t i = 0; i < sample.branches.size(); ++i) sum += sample.branches[i].to;
  for (size_t i = 0; i < sample.read.size(); ++i) sum += sample.read[i].value;
  for (Bytes bytes : {sample.raw, sample.user_stack.bytes, sample.aux}) {
    for (std::byte byte : bytes) sum += std::to_integer<uint64_t>(byte);
  }
  return sum;
}

struct DamageOutcome {
  bool opened = false;
  uint64_t damaged_samples = 0;
  uint64_t problems = 0;
  uint64_t checksum = 0;
};

DamageOutcome read_damaged(Bytes recording) {
  DamageOutcome outcome;
  auto reader = Reader::over(recording);
  if (!reader.ok()) {
    EXPECT_FALSE(reader.error().message.empty());
    return outcome;
  }
  outcome.opened = true;
  uint64_t records = 0;
  while (auto record = reader->next()) {
    EXPECT_LE(++records, recording.size() / kRecordHeaderBytes);
    auto event = reader->event_of(*record);
    if (record->type != PERF_RECORD_SAMPLE || !event.has_value()) continue;
    auto sample = decode_sample(reader->events()[*event].attr, record->payload, record->swap);
    outcome.damaged_samples += sample.ok() ? 0 : 1;
    if (sample.ok()) outcome.checksum += touch(*sample);
  }
  outcome.problems = reader->problems().size();
  return outcome;
}

class Damage : public testing::TestWithParam<bool> {};

TEST_P(Damage, IsRefusedOrCountedAndNeverCrashes) {
  bool finished = GetParam();
  std::vector<std::byte> valid = valid_recording(finished);
  DamageOutcome undamaged = read_damaged(valid);
  ASSERT_TRUE(undamaged.opened);
  ASSERT_EQ(undamaged.problems, finished ? 0u : 1u);
  ASSERT_EQ(undamaged.damaged_samples, 0u);
  ASSERT_NE(undamaged.checksum, 0u);

  std::mt19937_64 random(42);
  uint64_t refused = 0;
  uint64_t with_problems = 0;
  size_t before = ::mallinfo2().arena + ::mallinfo2().hblkhd;
  for (int round = 0; round < kRounds; ++round) {
    DamageOutcome outcome = read_damaged(damage(valid, random));
    refused += outcome.opened ? 0 : 1;
    with_problems += outcome.problems + outcome.damaged_samples > 0 ? 1 : 0;
  }
  size_t after = ::mallinfo2().arena + ::mallinfo2().hblkhd;
  EXPECT_GT(refused, 100u);
  EXPECT_GT(with_problems, 1000u);
  EXPECT_LT(after, before + (size_t{64} << 20))
      << "the heap must not have grown beyond what such small files need";
}

INSTANTIATE_TEST_SUITE_P(OfRecordings, Damage, testing::Bool(),
                         [](const auto& finished) { return finished.param ? "finished" : "unfinished"; });

}  // namespace
}  // namespace hm::record
