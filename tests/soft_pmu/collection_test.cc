// SPDX-License-Identifier: MIT
// What --function and --start-after leave out is not counted, and the rest is, exactly.
// tests/programs/activations.c says what its functions do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measuring.h"

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
  std::string once = program("activations") + " once ";
  expect_counts({"--function=work"}, {"sh", "-c", once + "5; " + once + "6"}, {48, 13, 11, 13});
}

TEST(Collection, LibrariesThatAreLoadedLater) {
  expect_counts({"--function=plugged"}, activations({"library", program("libplugged.so")}), {90, 24, 21, 24});
}

// The three activations that longjmp leaves hold that and what leads to it, the others 46 instructions each;
// 12,000 are outside.
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
  constexpr uint64_t kPage = 4095, kBytes = 32;  // the program may lie anywhere, by pages
  for (const Sample& sample : recording.samples) EXPECT_LT((sample.ip - begin) & kPage, kBytes);
}

TEST(Collection, NothingBeforeItsTime) {
  expect_counts({"--start-after=1000000"}, activations({"once", "1000"}), {0, 0, 0, 0});
  Outcome outcome =
      hardmeter(Words{"stat"} + soft_pmu() + Words{"-D", "1000000"} + activations({"once", "5"}));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("everything was over before the 1,000,000 ms of --start-after"));
}

// Each round of the loop stores once; the program beside it little.
TEST(Collection, BeginsAmidALoop) {
  Outcome outcome = hardmeter(Words{"stat", "--json", "-o", "-"} + soft_pmu() + Words{"-D", "300"} +
                              activations({"loop", "1500"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  uint64_t rounds = 0, stores = 0;
  size_t field = outcome.out.find("\"memory_stores\": ");
  ASSERT_NE(field, std::string::npos) << outcome.out;
  stores = std::stoull(outcome.out.substr(field + sizeof("\"memory_stores\": ") - 1));
  rounds = std::stoull(outcome.out);
  EXPECT_GT(stores, 0u);
  EXPECT_LT(stores, rounds + 100000);
}

TEST(Collection, SystemCallsAreNotInterruptedByTheBeginning) {
  expect_counts({"-D", "300", "--function=work"}, activations({"wait", "2000"}), {4002, 1001, 1000, 1001});
}

TEST(Collection, AFunctionThatIsNotThereIsNamed) {
  Outcome outcome =
      hardmeter(Words{"stat"} + soft_pmu() + Words{"--function=nosuch"} + activations({"once", "5"}));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("no program or library that ran names a function nosuch"));
  outcome = hardmeter(Words{"stat"} + soft_pmu() + Words{"--function=descend"} + activations({"once", "5"}));
  EXPECT_THAT(outcome.err, HasSubstr("descend was never entered"));
}

TEST(Collection, IsForTheSoftwarePmu) {
  Outcome outcome = hardmeter({"stat", "--pmu=linux", "--function=work", "--", "true"});
  EXPECT_NE(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("cannot do --function; it is for the software PMU (--pmu=soft)"));
  outcome = hardmeter({"record", "--pmu=linux", "-D", "5", "--", "true"});
  EXPECT_THAT(outcome.err, HasSubstr("cannot do --start-after; it is for the software PMU"));
}

}  // namespace
}  // namespace hm::soft_pmu_test
