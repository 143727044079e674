// SPDX-License-Identifier: MIT
// Misses of system calls in the program's memory. counts_test.cc compares their number with known counts
// (programs/system_calls.S).
#include <gtest/gtest.h>

#include "measuring.h"

namespace hm::soft_pmu_test {
namespace {

const Words kSmallCaches{"--l1d", "32K,8,64", "--l2", "256K,8,64", "--l3", "1M,16,64"};
constexpr uint64_t kLinesOfPage = 64;

Words reading(uint64_t rounds) { return {program("reading"), std::to_string(rounds)}; }

// Each page is written after 1023 others, so none of its lines is in a cache.
TEST(SystemCalls, MissEachLineOfTheirBuffers) {
  constexpr uint64_t kRounds = 5000;
  Counts with = count(kSmallCaches, reading(kRounds));
  Counts without = count(kSmallCaches + Words{"--no-syscall-memory"}, reading(kRounds));
  uint64_t more = with["l1_store_miss"] - without["l1_store_miss"];
  EXPECT_GE(more, kRounds * kLinesOfPage);
  EXPECT_LE(more, kRounds * kLinesOfPage + 200) << "and those of the program's start";
  EXPECT_GE(with["dtlb_stor_miss"], kRounds);
  for (const char* event : {"instr_retired", "memory_loads", "memory_stores", "memory_moves"})
    EXPECT_EQ(with[event], without[event]) << event;
}

TEST(SystemCalls, HaveSamplesThatSayWhoMissed) {
  Recording recording = record(
      kSmallCaches + Words{"-e", "l1_store_miss,dtlb_all_miss", "-c", "1", "--no-jitter"}, reading(200));
  uint64_t of_kernel = 0, of_program = 0;
  for (const Sample& sample : recording.of("l1_store_miss")) {
    (sample.by_kernel ? of_kernel : of_program) += 1;
    if (!sample.by_kernel) continue;
    EXPECT_EQ(sample.access_kind, record::AccessKind::kStore);
    EXPECT_EQ(sample.weight, 0u) << "no instruction waits";
  }
  EXPECT_GE(of_kernel, 200 * kLinesOfPage);
  EXPECT_NE(of_program, 0u);
  uint64_t first = 0;
  for (const Sample& sample : recording.of("dtlb_all_miss")) first += sample.by_kernel ? 1 : 0;
  EXPECT_GE(first, 200u);
}

// The sample has the registers of the call: rax its number, rdx its third argument.
TEST(SystemCalls, HaveTheRegistersOfTheirInstruction) {
  constexpr int kAx = 0, kDx = 3, kSi = 4;  // perf's numbers
  Recording recording =
      record(kSmallCaches + Words{"-e", "l1_store_miss", "-c", "1", "--no-jitter"}, reading(100));
  uint64_t reads = 0;
  for (const Sample& sample : recording.of("l1_store_miss")) {
    if (!sample.by_kernel || sample.registers.at(kAx) != 0 || sample.registers.at(kDx) != 4096) continue;
    EXPECT_LT(sample.addr - sample.registers.at(kSi), 4096u);
    ++reads;
  }
  EXPECT_GE(reads, 100 * kLinesOfPage);
}

TEST(SystemCalls, AreNotInTheirSamplesIfTheyAreLeftOut) {
  Recording recording =
      record(kSmallCaches + Words{"-e", "l1_store_miss", "-c", "1", "--no-syscall-memory"}, reading(100));
  for (const Sample& sample : recording.of("l1_store_miss")) ASSERT_FALSE(sample.by_kernel);
}

// The completions tell which of the buffers that submissions name the kernel has written.
TEST(SystemCalls, ReadThroughRingsOfTheKernel) {
  constexpr uint64_t kRounds = 2000;
  constexpr int kRefused = 77;
  const Words command{program("io_ring"), std::to_string(kRounds)};
  if (run(command).status == kRefused) GTEST_SKIP() << "the kernel refuses io_uring; not tested";
  Counts with = count(kSmallCaches, command);
  Counts without = count(kSmallCaches + Words{"--no-syscall-memory"}, command);
  uint64_t more = with["l1_store_miss"] - without["l1_store_miss"];
  EXPECT_GE(more, kRounds * kLinesOfPage);
  EXPECT_LE(more, kRounds * kLinesOfPage + 200) << "and those of the program's start";
}

// In bursts each call is as long as without them: its lines take no slots.
TEST(SystemCalls, AreEstimatedFromBursts) {
  if (engine() != "direct") GTEST_SKIP() << "bursts are the copying engine's; not tested with the other";
  constexpr uint64_t kRounds = 60000;
  constexpr double kExpected = kRounds * kLinesOfPage, kTolerance = 0.05;
  const Words bursts{"--detail=bursts", "--burst-slots=2000", "--gap-slots=20000"};
  Counts found = count(kSmallCaches + bursts, reading(kRounds));
  EXPECT_NEAR(static_cast<double>(found["l1_store_miss"]), kExpected, kTolerance * kExpected);
}

}  // namespace
}  // namespace hm::soft_pmu_test
