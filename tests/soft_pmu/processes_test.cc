// SPDX-License-Identifier: MIT
// All processes and threads of a program are counted exactly, and all of them are in one recording.
// tests/programs/processes.c documents the additions of each mode.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "base/shell_word.h"
#include "measuring.h"

namespace hm::soft_pmu_test {
namespace {

using ::testing::IsEmpty;
using ::testing::UnorderedElementsAreArray;

constexpr uint64_t kPeriod = 100;
const Words kOptions = {"-e", "x87_fp_retired", "--no-jitter", "-c", std::to_string(kPeriod)};

Recording record_processes(const Words& command) { return record(kOptions, command); }
Recording record_mode(const Words& mode) { return record_processes(Words{program("processes")} + mode); }

// Returns the additions of each thread of each program image, without those at zero.
std::vector<uint64_t> shares(const Recording& recording) {
  std::vector<uint64_t> values;
  for (const ThreadCount& each : recording.totals) {
    if (each.value != 0) values.push_back(each.value);
  }
  return values;
}

void expect_shares(const Recording& recording, const std::vector<uint64_t>& expected) {
  EXPECT_THAT(shares(recording), UnorderedElementsAreArray(expected));
  uint64_t samples = 0;
  for (uint64_t share : expected) samples += share / kPeriod;
  EXPECT_EQ(recording.samples.size(), samples);
}

// Checks that each thread's samples have its own id, and that their number matches its total.
void expect_samples_of_threads(const Recording& recording) {
  for (const ThreadCount& total : recording.totals) {
    uint64_t sum = 0;
    for (const Sample& sample : recording.samples) sum += sample.tid == total.tid ? sample.period : 0;
    EXPECT_LT(sum > total.value ? sum - total.value : total.value - sum, kPeriod) << "thread " << total.tid;
  }
}

TEST(Processes, ThreadsHaveTheirOwnTotals) {
  Recording recording = record_mode({"threads", "5"});
  EXPECT_THAT(shares(recording), UnorderedElementsAreArray({1000, 2000, 3000, 4000, 5000}));
  expect_samples_of_threads(recording);
  EXPECT_EQ(recording.samples.size(), 150u);
}

TEST(Processes, AHundredThreads) {
  Recording recording = record_mode({"threads", "100"});
  std::vector<uint64_t> expected;
  for (uint64_t i = 1; i <= 100; ++i) expected.push_back(1000 * i);
  EXPECT_THAT(shares(recording), UnorderedElementsAreArray(expected));
}

TEST(Processes, SignalHandlersCount) { expect_shares(record_mode({"signals"}), {50 * 30}); }

// Counts of a thread that did not wait for anything when its process ended.
class AbandonedThreads : public ::testing::TestWithParam<const char*> {};

TEST_P(AbandonedThreads, AreCountedToTheEnd) {
  constexpr uint64_t kAtLeast = 100000;
  std::string how = GetParam();
  int status = how == "signal" ? 128 + SIGTERM : 0;
  Recording recording =
      record({"-e", "x87_fp_retired", "-c", "10000"}, {program("processes"), "abandon", how}, status);
  std::vector<uint64_t> all = shares(recording);
  ASSERT_EQ(all.size(), how == "exec" ? 2u : 1u);
  EXPECT_GE(std::ranges::max(all), kAtLeast);
  if (how == "exec") {
    EXPECT_EQ(std::ranges::min(all), 50u);
  }
}

INSTANTIATE_TEST_SUITE_P(Processes, AbandonedThreads, ::testing::Values("exit", "exec", "signal"));

TEST(Processes, AForkedChildStartsFromZero) {
  Recording recording = record_mode({"fork"});
  expect_shares(recording, {4000, 2000});
  for (const ThreadCount& total : recording.totals) EXPECT_EQ(total.pid, total.tid);
}

TEST(Processes, EachImageOfAProcessHasItsOwnTotals) {
  Recording recording = record_mode({"exec"});
  expect_shares(recording, {1000, 500});
  for (const ThreadCount& total : recording.totals) EXPECT_EQ(total.pid, recording.totals[0].pid);
}

TEST(Processes, SpawnAndVfork) { expect_shares(record_mode({"spawn"}), {300, 300}); }
TEST(Processes, ThatSoonEndAfterTheProgramAreRecordedToTheirEnd) {
  expect_shares(record_mode({"daemon"}), {700});
}
TEST(Processes, ClosingEveryDescriptorChangesNothing) { expect_shares(record_mode({"close"}), {400, 40}); }

TEST(Processes, TwoHundredShortOnes) {
  Recording recording = record_mode({"many", "200"});
  EXPECT_THAT(shares(recording), UnorderedElementsAreArray(std::vector<uint64_t>(200, 10)));
}

TEST(Processes, ThatExitWhileSignalsKillThem) {
  Recording recording = record_mode({"kill", "200"});
  EXPECT_THAT(shares(recording), UnorderedElementsAreArray(std::vector<uint64_t>(200, 10)));
}

TEST(Processes, PipelinesOfAShell) {
  std::string self = shell_word(program("processes"));
  expect_shares(record_processes({"sh", "-c", self + " work 800 | " + self + " work 900"}), {800, 900});
}

TEST(Processes, AnotherRoot) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may change its root; not tested";
  TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("root"));
  expect_shares(record_mode({"chroot", folder.file("root")}), {600, 60});
}

TEST(Processes, AnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may become somebody else; not tested";
  if (!installed("setpriv")) GTEST_SKIP() << "there is no setpriv; not tested";
  const Words as = {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"};
  bool hidden = run(as + Words{"test", "-x", program("processes")}).status != 0;
  if (hidden && engine() == "valgrind")
    GTEST_SKIP() << "Valgrind starts the engine as the other user, who may not look into the build's folder; "
                    "not tested";
  TemporaryFolder folder;
  ::chmod(folder.file("").c_str(), 0755);
  std::string copy = folder.file("processes");
  std::filesystem::copy_file(program("processes"), copy);
  expect_shares(record_processes(as + Words{copy, "fork"}), {4000, 2000});
}

// All processes in one valid recording, which perf reads with the same result.
class OneRecording : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string all;
    for (const char* mode : {"threads 5", "signals", "fork", "exec", "spawn", "daemon", "close", "many 20"}) {
      all += shell_word(program("processes")) + " " + mode + "; ";
    }
    Outcome outcome =
        hardmeter(Words{"record", "-q", "-o", path_} + soft_pmu() + kOptions + Words{"sh", "-c", all});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("perf.data");
};

TEST_F(OneRecording, IsSane) {
  Outcome check = hardmeter({"check", "-i", path_});
  EXPECT_EQ(check.status, 0) << check.out << check.err;
  Recording recording = decode(path_);
  size_t expected = (15000 + 1500 + 6000 + 1500 + 600 + 700 + 400) / kPeriod;  // the children of many are too
                                                                               // short for a sample
  EXPECT_EQ(recording.samples.size(), expected);
  EXPECT_EQ(shares(recording).size(), 5u + 1 + 2 + 2 + 2 + 1 + 2 + 20);
}

TEST_F(OneRecording, IsReadByPerf) {
  if (!installed("perf"))
    GTEST_SKIP() << "perf is not installed; whether it reads our recordings was not tested";
  Words perf = {"env", "PERF_CONFIG=/dev/null", "perf"};
  Outcome script = run(perf + Words{"script", "-F", "tid,ip", "-i", path_});
  EXPECT_EQ(script.status, 0) << script.err;
  EXPECT_THAT(script.err, IsEmpty());
  Recording recording = decode(path_);
  EXPECT_EQ(static_cast<size_t>(std::ranges::count(script.out, '\n')),
            recording.samples.size() + recording.heap_sites);
  Outcome report = run(perf + Words{"report", "--stdio", "-i", path_});
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_THAT(report.err, ::testing::Not(::testing::HasSubstr("rror")));
  EXPECT_THAT(report.out, ::testing::HasSubstr("of event 'x87_fp_retired'"));
}

}  // namespace
}  // namespace hm::soft_pmu_test
