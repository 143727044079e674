// SPDX-License-Identifier: MIT
// --detail bursts: its estimates for programs with known counts, and the absence of effects on programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "base/json.h"
#include "base/temporary_folder.h"
#include "measuring.h"

namespace hm::soft_pmu_test {
namespace {

using ::testing::HasSubstr;

const Words kShortBursts = {"--detail=bursts", "--burst-slots=2000", "--gap-slots=20000"};

class Bursts : public ::testing::Test {
 protected:
  void SetUp() override {
    if (engine() != "direct") GTEST_SKIP() << "bursts are the copying engine's; not tested with the other";
  }
};

// A pointer chase has one load per step. Beyond a level's size each load misses the level; within the size
// none does.
class ChaseInBursts : public Bursts {
 protected:
  static constexpr double kTolerance = 0.08;  // four standard errors for this number of bursts
  static constexpr double kSteps = 6000000;

  static Counts counts(uint64_t bytes) {
    const Words machine{"--l1d",   "4K,4",   "--l2", "64K,8",  "--l3",
                        "256K,16", "--dtlb", "16",   "--stlb", "none"};
    return count(machine + kShortBursts,
                 {program("chase"), std::to_string(bytes), std::to_string(static_cast<uint64_t>(kSteps))});
  }
  static void expect_each_step(uint64_t found) {
    EXPECT_NEAR(static_cast<double>(found), kSteps, kTolerance * kSteps);
  }
  // The program's beginning is not part of the chase.
  static void expect_hardly_any(uint64_t found) { EXPECT_LT(static_cast<double>(found), 0.01 * kSteps); }
};

// Without updates between bursts, the levels below the first would be empty.
TEST_F(ChaseInBursts, HitsTheSecondLevel) {
  Counts found = counts(32 << 10);
  expect_each_step(found["l1_cache_miss"]);
  expect_hardly_any(found["l2_cache_miss"]);
}

TEST_F(ChaseInBursts, HitsTheThirdLevel) {
  Counts found = counts(192 << 10);
  expect_each_step(found["l2_cache_miss"]);
  expect_hardly_any(found["l3_cache_miss"]);
}

TEST_F(ChaseInBursts, MissesTheThirdLevel) {
  Counts found = counts(1 << 20);
  expect_each_step(found["l3_cache_miss"]);
  // 16 of 256 random pages are in the TLB.
  EXPECT_NEAR(static_cast<double>(found["dtlb_load_miss"]), kSteps * 15 / 16, kTolerance * kSteps);
}

// The stacks of all sizes also receive the accesses between bursts.
TEST_F(ChaseInBursts, TellWhichCachesItFits) {
  TemporaryFolder folder;
  std::string path = folder.file("perf.data"), steps = std::to_string(static_cast<uint64_t>(kSteps));
  Outcome recorded = hardmeter(Words{"record", "-q", "-o", path} + soft_pmu() + kShortBursts +
                               Words{"--sizes=64-4096,16", "--", program("chase"), "196608", steps});
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  Outcome said = hardmeter({"map", "--sizes", "--json", "-i", path});
  ASSERT_EQ(said.status, 0) << said.err;
  nlohmann::json json = nlohmann::json::parse(said.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << said.out;
  constexpr size_t k128Sets = 1, k256Sets = 2, k8Ways = 7, k16Ways = 15;
  expect_each_step(json["misses"][k128Sets][k8Ways].get<uint64_t>());    // 64 KiB
  expect_hardly_any(json["misses"][k256Sets][k16Ways].get<uint64_t>());  // 256 KiB
  EXPECT_GT(json["misses_error"][k128Sets][k8Ways].get<uint64_t>(), 0u);
}

TEST_F(ChaseInBursts, TellHowSureTheyAre) {
  Outcome told = hardmeter(Words{"stat", "--json"} + soft_pmu() + kShortBursts +
                           Words{"--", program("chase"), "65536", "1000000"});
  ASSERT_EQ(told.status, 0) << told.err;
  nlohmann::json json = nlohmann::json::parse(told.out + told.err, nullptr, false);
  ASSERT_TRUE(json.is_object()) << told.out << told.err;
  double error = json["relative_error"].value("memory_loads", 1.0);
  EXPECT_GT(error, 0);
  EXPECT_LT(error, 0.1);
  EXPECT_THAT(json["notes"].dump(), HasSubstr("bursts of 2,000 instructions and data accesses"));
}

TEST_F(Bursts, BeginAndEndWithinLongStringInstructions) {
  Counts found = count(kShortBursts + Words{"--l1d", "4K,4"}, {program("long_strings")});
  constexpr double kLines = 40 * 4096;
  EXPECT_NEAR(static_cast<double>(found["l1_cache_miss"]), kLines, 0.1 * kLines);
  EXPECT_NEAR(static_cast<double>(found["l1_store_miss"]), kLines, 0.1 * kLines);
}

// 4 MiB that are unmapped before the next burst fill a third level of 2 MiB, so the buffer misses.
TEST_F(Bursts, KnowMemoryThatIsNoLongerMapped) {
  constexpr int kRounds = 400, kBufferKib = 512;
  Counts found = count({"--detail=bursts", "--burst-slots=8000", "--gap-slots=400000", "--l1d", "4K,4",
                        "--l2", "64K,8", "--l3", "2M,16"},
                       {program("remap"), std::to_string(16 * kRounds), "64", std::to_string(kBufferKib)});
  constexpr double kLoads = kRounds * kBufferKib * 1024 / 64;
  EXPECT_NEAR(static_cast<double>(found["l3_cache_miss"]), kLoads, 0.4 * kLoads);
}

// The lines fit the third level, but not the second. They are spread over 16 TiB of memory, and the
// rest of that memory is unused.
TEST_F(Bursts, FindTheLinesOfAProgramThatMapsMuchMoreThanItUses) {
  constexpr double kLines = 2000, kRounds = 1000, kTolerance = 0.1;
  Counts found = count(kShortBursts + Words{"--l1d", "4K,4", "--l2", "64K,8", "--l3", "1M,16"},
                       {program("sparse"), "16", "2000", "1000"});
  EXPECT_NEAR(static_cast<double>(found["l2_cache_miss"]), kLines * kRounds, kTolerance * kLines * kRounds);
  EXPECT_LT(static_cast<double>(found["l3_cache_miss"]), 0.02 * kLines * kRounds);
}

TEST_F(Bursts, AreReproducible) {
  Words command{program("chase"), "65536", "300000"};
  Counts first = count(kShortBursts, command), second = count(kShortBursts, command);
  for (const char* event : {"instr_retired", "memory_loads"})
    EXPECT_NEAR(static_cast<double>(first[event]), static_cast<double>(second[event]),
                0.01 * static_cast<double>(first[event]))
        << event;
}

TEST_F(Bursts, SamplesStandForWhatIsBetweenThem) {
  Recording recording =
      record(kShortBursts + Words{"-e", "memory_loads", "-c", "260"}, {program("chase"), "65536", "1000000"});
  Counts exact = count({}, {program("chase"), "65536", "1000000"});
  double sum = 0;
  for (const Sample& sample : recording.samples) sum += static_cast<double>(sample.period);
  auto loads = static_cast<double>(exact["memory_loads"]);
  EXPECT_NEAR(sum, loads, 0.1 * loads);
}

// Both phases have the same misses. Most bursts are in the first phase, and those of the second are longer.
TEST_F(Bursts, RepresentEqualPartsOfALongRunAlthoughTheyBecomeRare) {
  const Words growing{"--detail=bursts", "--burst-slots=1000", "--gap-slots=5000",
                      "--bursts-per-doubling=200"};
  Recording recording =
      record(growing + Words{"-e", "l1_cache_miss", "-c", "600"}, {program("phases"), "3000000", "3000000"});
  std::map<uint64_t, double> misses_of;  // by address
  for (const Sample& sample : recording.samples) misses_of[sample.ip] += static_cast<double>(sample.period);
  std::vector<double> largest;
  for (auto [ip, misses] : misses_of) largest.push_back(misses);
  std::ranges::sort(largest, std::greater<>());
  ASSERT_GE(largest.size(), 2u);
  EXPECT_NEAR(largest[0], 3e6, 0.15 * 3e6);
  EXPECT_NEAR(largest[1], 3e6, 0.15 * 3e6);
}

// Touching copies do not time instructions.
TEST_F(Bursts, EstimateTheTimeOfAllInstructions) {
  const Words command{program("chase"), "65536", "1000000"};
  Counts exact = count({"--as=typical"}, command),
         bursts = count(kShortBursts + Words{"--as=typical"}, command);
  auto cycles = static_cast<double>(exact["cycles"]);
  ASSERT_GT(cycles, 0);
  EXPECT_NEAR(static_cast<double>(bursts["cycles"]), cycles, 0.1 * cycles);
}

const Words kExactAtFirst = {"--detail=auto", "--burst-slots=2000", "--gap-slots=20000",
                             "--exact-slots=3000000"};

nlohmann::json stat_json(const Words& options, const Words& command) {
  Outcome told = hardmeter(Words{"stat", "--json"} + soft_pmu() + options + Words{"--"} + command);
  EXPECT_EQ(told.status, 0) << told.err;
  return nlohmann::json::parse(told.out + told.err, nullptr, false);
}

TEST_F(Bursts, AreNotNeededWhereAProgramIsShort) {
  nlohmann::json json = stat_json({"--detail=auto"}, {program("chase"), "65536", "1000000"});
  ASSERT_TRUE(json.is_object());
  EXPECT_THAT(json["notes"].dump(), HasSubstr("so it was measured exactly"));
  EXPECT_TRUE(json["relative_error"].empty()) << json["relative_error"];
  Counts exact = count({}, {program("chase"), "65536", "1000000"});
  auto loads = static_cast<double>(exact["memory_loads"]);
  EXPECT_NEAR(json["totals"]["memory_loads"].get<double>(), loads, 0.001 * loads);
}

TEST_F(Bursts, FollowABeginningThatIsExact) {
  constexpr double kSteps = 2000000;
  const Words command{program("chase"), "65536", "2000000"};
  const Words machine{"--l1d", "4K,4", "--l2", "256K,8"};
  nlohmann::json json = stat_json(machine + kExactAtFirst, command);
  ASSERT_TRUE(json.is_object());
  EXPECT_THAT(json["notes"].dump(),
              HasSubstr("the first 3,000,000 instructions and data accesses exactly; "));
  EXPECT_NEAR(json["totals"]["l1_cache_miss"].get<double>(), kSteps, 0.05 * kSteps);
  Counts all_in_bursts = count(machine + kShortBursts, command);
  EXPECT_NEAR(static_cast<double>(all_in_bursts["instr_retired"]),
              json["totals"]["instr_retired"].get<double>(),
              0.05 * json["totals"]["instr_retired"].get<double>());
}

// Each sample of the exact beginning represents the events of its own period; samples of bursts represent
// many more.
TEST_F(Bursts, AndABeginningAreSampledAlike) {
  const Words command{program("chase"), "65536", "2000000"};
  Recording recording = record(kExactAtFirst + Words{"-e", "memory_loads", "-c", "260"}, command);
  Counts exact = count({}, command);
  double sum = 0;
  for (const Sample& sample : recording.samples) sum += static_cast<double>(sample.period);
  auto loads = static_cast<double>(exact["memory_loads"]);
  EXPECT_NEAR(sum, loads, 0.1 * loads);
}

TEST_F(Bursts, AreNotNoticedByPrograms) {
  for (const Words& words : {Words{"crowd", "signals"}, Words{"crowd", "traps"}, Words{"shared_crowd"},
                             Words{"processes", "fork"}, Words{"processes", "exec", "1000"},
                             Words{"processes", "threads", "100"}, Words{"jump_tables"}, Words{"signals"}}) {
    Words command = words;
    command[0] = program(words[0]);
    Outcome natively = run(command);
    for (const Words& options : {kShortBursts, kExactAtFirst}) {
      Outcome measured =
          hardmeter(Words{"stat", "-o", "/dev/null"} + soft_pmu() + options + Words{"--"} + command);
      EXPECT_EQ(measured.status, natively.status) << words[0] << ": " << measured.err;
      EXPECT_EQ(measured.out, natively.out) << words[0];
    }
  }
}

TEST_F(Bursts, SayWhatTheyCannotTell) {
  Outcome refused = hardmeter(Words{"stat"} + soft_pmu() +
                              Words{"--detail=bursts", "-e", "branch_mispredict", "--", "true"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.err, HasSubstr("between bursts the predictor sees no branches"));
}

TEST(BurstsOfTheOtherEngine, AreRefused) {
  if (!is_built("valgrind")) GTEST_SKIP() << "this build has no Valgrind engine; not tested";
  Outcome refused = hardmeter({"stat", "--pmu=soft", "--engine=valgrind", "--detail=bursts", "--", "true"});
  EXPECT_NE(refused.status, 0);
  EXPECT_THAT(refused.err, HasSubstr("--engine=direct"));
}

}  // namespace
}  // namespace hm::soft_pmu_test
