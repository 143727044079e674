// SPDX-License-Identifier: MIT
// Code excluded by --function and --start-after is not counted, and the rest is counted exactly.
// tests/programs/activations.c documents the work of its functions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/shell_word.h"
#include "base/wait_until.h"
#include "measuring.h"
#include "support/paths.h"

namespace hm::soft_pmu_test {
namespace {

using ::testing::HasSubstr;

Words activations(const Words& mode) { return Words{program("activations")} + mode; }

uint64_t instructions_of_work(uint64_t n) { return 4 * n + 2; }

struct Expected {
  uint64_t instructions, loads, stores, branches;
};

void expect_counts(const Words& options, const Words& command, const Expected& expected) {
  Counts counts = count(Words{"-e", "branch_retired"} + options, command);
  EXPECT_EQ(counts["instr_retired"], expected.instructions);
  EXPECT_EQ(counts["memory_loads"], expected.loads);
  EXPECT_EQ(counts["memory_stores"], expected.stores);
  EXPECT_EQ(counts["branch_retired"], expected.branches);
}

TEST(Collection, InsideAFunctionIsExact) {
  expect_counts({"--function=work"}, activations({"once", "100"}), {402, 101, 100, 101});
  expect_counts({"--function=work"}, activations({"often", "1000"}), {6000, 2000, 1000, 2000});
  expect_counts({"--function=work"}, activations({"fall", "50"}), {202, 51, 50, 51});
}

TEST(Collection, CalleesAreInside) {
  expect_counts({"--function=pass_on"}, activations({"nested", "50"}), {206, 53, 52, 53});
}

TEST(Collection, RecursionIsOneActivation) {
  expect_counts({"--function=descend"}, activations({"recursion", "5"}), {26, 7, 5, 19});
  Outcome outcome =
      hardmeter(Words{"stat"} + soft_pmu() + Words{"--function=descend"} + activations({"recursion", "5"}));
  EXPECT_THAT(outcome.err, HasSubstr("collected: only inside descend (entered 2 times)"));
}

TEST(Collection, EachThreadByItself) {
  expect_counts({"--function=work"}, activations({"threads"}), {44402, 12101, 10100, 12101});
  expect_counts({"--function=work", "--function=descend"}, activations({"threads"}),
                {66402, 18101, 14100, 28101});
}

TEST(Collection, ChildrenGoOnAsTheirParents) {
  expect_counts({"--function=work"}, activations({"fork"}), {286, 73, 70, 73});
  Recording recording = record({"--function=pass_on", "-e", "instr_retired"}, activations({"fork_inside"}));
  ASSERT_EQ(recording.totals.size(), 2u);
  for (const ThreadCount& each : recording.totals) EXPECT_GE(each.value, instructions_of_work(20));
}

TEST(Collection, ProgramsThatAreStarted) {
  expect_counts({"--function=work"}, activations({"exec", "100"}), {424, 107, 105, 107});
  std::string once = shell_word(program("activations")) + " once ";
  expect_counts({"--function=work"}, {"sh", "-c", once + "5; " + once + "6"}, {48, 13, 11, 13});
}

TEST(Collection, LibrariesThatAreLoadedLater) {
  expect_counts({"--function=plugged"}, activations({"library", program("libplugged.so")}), {90, 24, 21, 24});
}

// The three activations left by longjmp contain the longjmp and the code before it, the others 46
// instructions each; 12,000 are outside.
TEST(Collection, JumpsEndActivations) {
  Counts counts = count({"--function=pass_on"}, activations({"jump"}));
  EXPECT_GT(counts["instr_retired"], 3 * 46u);
  EXPECT_LT(counts["instr_retired"], 4000u);
}

TEST(Collection, HandlersOnStacksOfTheirOwn) {
  expect_counts({"--function=work"}, activations({"signals"}), {448, 118, 106, 118});
  Counts counts = count({"--function=pass_on"}, activations({"signals"}));
  EXPECT_GT(counts["instr_retired"], 5 * instructions_of_work(10) + instructions_of_work(3));
}

TEST(Collection, SamplesAreOfWhatIsInside) {
  uint64_t begin = labels(program("activations"))["work"];
  Recording recording =
      record({"--function=work", "-e", "memory_loads,instr_retired", "--no-jitter", "-c", "7"},
             activations({"once", "100"}));
  EXPECT_EQ(recording.of("memory_loads").size(), 101u / 7);
  EXPECT_EQ(recording.of("instr_retired").size(), 402u / 7);
  constexpr uint64_t kPage = 4095, kBytes = 32;  // the program's address varies by pages
  for (const Sample& sample : recording.samples) EXPECT_LT((sample.ip - begin) & kPage, kBytes);
}

TEST(Collection, NothingBeforeItsTime) {
  expect_counts({"--start-after=1000000"}, activations({"once", "1000"}), {0, 0, 0, 0});
  Outcome outcome =
      hardmeter(Words{"stat"} + soft_pmu() + Words{"-D", "1000000"} + activations({"once", "5"}));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("the program ended before the 1,000,000 ms of --start-after"));
}

// The recording of a program that loops until it has samples, under --start-after.
struct BegunLate {
  Recording recording;
  uint32_t looping = 0;  // process
  uint64_t rounds = 0;   // rounds of its loop, printed by the program

  // Returns the total of that process, or of all others.
  [[nodiscard]] uint64_t total(const std::string& event, bool of_looping = true) const {
    uint64_t sum = 0;
    for (const ThreadCount& each : recording.totals)
      sum += each.event == event && (each.pid == looping) == of_looping ? each.value : 0;
    return sum;
  }
};

BegunLate begin_late(uint64_t delay_ms, const Words& options, const std::string& mode) {
  constexpr uintmax_t kBytesOfManySamples = 131072;  // and of what is before the samples
  TemporaryFolder folder;
  std::string path = folder.file("perf.data"), who = folder.file("who");
  Running running(Words{test_paths::kHardmeter, "record", "-q", "-o", path} + soft_pmu() +
                  Words{"-e", "instr_retired,memory_loads,memory_stores,branch_retired", "-c", "100000", "-D",
                        std::to_string(delay_ms)} +
                  options + Words{"--"} + activations({mode, who}));
  std::error_code not_there;
  EXPECT_TRUE(wait_until([&] {
    uintmax_t bytes = std::filesystem::file_size(path, not_there);
    return !not_there && bytes > kBytesOfManySamples;
  }));
  BegunLate begun;
  std::ifstream(who) >> begun.looping;
  EXPECT_NE(begun.looping, 0u);
  if (begun.looping == 0) return begun;
  ::kill(static_cast<pid_t>(begun.looping), SIGUSR1);
  Outcome outcome = running.outcome();
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  begun.recording = decode(path);
  std::istringstream(outcome.out) >> begun.rounds;
  return begun;
}

// On a slow host the program may reach its loop only after the first delay.
constexpr uint64_t kDelaysMs[] = {300, 3000, 30000};

// Each round of the loop stores once; the rest of the program stores little.
TEST(Collection, BeginsAmidALoop) {
  constexpr uint64_t kBeside = 100000;
  for (uint64_t delay_ms : kDelaysMs) {
    BegunLate begun = begin_late(delay_ms, {}, "loop");
    uint64_t stores = begun.total("memory_stores");
    ASSERT_GT(stores, 0u);
    ASSERT_LT(stores, begun.rounds + kBeside);
    if (stores + kBeside < begun.rounds) return;
  }
  ADD_FAILURE() << "all of the loop was collected";
}

// Collection begins while one process is in a system call; a child of it works all the time and detects this.
TEST(Collection, SystemCallsAreNotInterruptedByTheBeginning) {
  constexpr uint64_t kOfHandler = 10;  // stores, if the signal comes while the child is inside
  for (uint64_t delay_ms : kDelaysMs) {
    BegunLate begun = begin_late(delay_ms, {"--function=work"}, "wait");
    EXPECT_EQ(begun.total("instr_retired", false), instructions_of_work(1000));
    EXPECT_EQ(begun.total("memory_loads", false), 1001u);
    EXPECT_EQ(begun.total("memory_stores", false), 1000u);
    EXPECT_EQ(begun.total("branch_retired", false), 1001u);
    uint64_t stores = begun.total("memory_stores");
    ASSERT_GT(stores, 0u);
    ASSERT_LE(stores, 100 * begun.rounds + kOfHandler);
    if (stores < 100 * begun.rounds) return;
  }
  ADD_FAILURE() << "all that the child did was collected";
}

TEST(Collection, AFunctionThatIsNotThereIsNamed) {
  Outcome outcome =
      hardmeter(Words{"stat"} + soft_pmu() + Words{"--function=nosuch"} + activations({"once", "5"}));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("no program or library that ran has a function nosuch"));
  outcome = hardmeter(Words{"stat"} + soft_pmu() + Words{"--function=descend"} + activations({"once", "5"}));
  EXPECT_THAT(outcome.err, HasSubstr("descend was never entered"));
}

TEST(Collection, IsForTheSoftwarePmu) {
  Outcome outcome = hardmeter({"stat", "--pmu=linux", "--function=work", "--", "true"});
  EXPECT_NE(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("does not support --function; the software PMU does (--pmu=soft)"));
  outcome = hardmeter({"record", "--pmu=linux", "-D", "5", "--", "true"});
  EXPECT_THAT(outcome.err, HasSubstr("does not support --start-after; the software PMU does"));
  outcome = hardmeter({"stat", "--pmu=linux", "--reproducible", "--", "true"});
  EXPECT_THAT(outcome.err, HasSubstr("does not support --reproducible; the software PMU does"));
}

}  // namespace
}  // namespace hm::soft_pmu_test
