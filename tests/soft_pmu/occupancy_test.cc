// SPDX-License-Identifier: MIT
// Occupancy of the modelled last-level cache, for programs with a known footprint
// (tests/programs/footprint.c).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "base/json.h"
#include "base/shell_word.h"
#include "measuring.h"
#include "support/paths.h"

namespace hm::soft_pmu_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr uint64_t kKib = 1024, kMib = 1024 * kKib;
constexpr uint64_t kCacheBytes = 4 * kMib;
const Words kCaches = {"--l1d", "32K,8,64", "--l2", "256K,8,64", "--l3", "4M,16,64"};
// Bytes of the loader, the C library, the stack, and the program's own code.
constexpr uint64_t kBesideBytes = 300 * kKib;

using Held = std::map<std::string, uint64_t>;  // bytes, by key

// Returns the snapshots of `hardmeter llc --json`.
std::vector<Held> watch(const Words& options, const Words& programs) {
  Outcome outcome = hardmeter(Words{"llc", "--json", "--source=soft", "--engine=" + engine()} + kCaches +
                              options + Words{"--"} + programs);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  std::vector<Held> snapshots;
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) {
    nlohmann::json snapshot = nlohmann::json::parse(line);
    EXPECT_EQ(snapshot["cache_bytes"], kCacheBytes);
    EXPECT_EQ(snapshot["is_modelled"], true);
    Held held;
    for (const auto& row : snapshot["rows"]) held[row["key"]] = row["occupancy_bytes"];
    snapshots.push_back(std::move(held));
  }
  return snapshots;
}

Words footprint(uint64_t bytes, int rounds) {
  return {program("footprint"), std::to_string(bytes / kKib), std::to_string(rounds)};
}

uint64_t sum_of(const Held& held) {
  uint64_t sum = 0;
  for (const auto& [key, bytes] : held) sum += bytes;
  return sum;
}

TEST(Occupancy, OfAProgramThatFitsIsItsFootprint) {
  Held end = watch({}, footprint(kMib, 4)).back();
  EXPECT_GE(end["program 1"], kMib);
  EXPECT_LE(end["program 1"], kMib + kBesideBytes);
}

TEST(Occupancy, OfProgramsThatFitTogetherIsTheFootprintOfEach) {
  Held end = watch({}, footprint(kMib, 20) + Words{","} + footprint(2 * kMib, 10)).back();
  EXPECT_GE(end["program 1"], kMib);
  EXPECT_LE(end["program 1"], kMib + kBesideBytes);
  EXPECT_GE(end["program 2"], 2 * kMib);
  EXPECT_LE(end["program 2"], 2 * kMib + kBesideBytes);
}

TEST(Occupancy, IsNeverMoreThanTheCache) {
  std::vector<Held> all =
      watch({"-d", "0.02"}, footprint(3 * kMib, 30) + Words{","} + footprint(8 * kMib, 12));
  for (const Held& each : all) EXPECT_LE(sum_of(each), kCacheBytes);
  EXPECT_EQ(sum_of(all.back()), kCacheBytes) << "more was touched than it holds";
}

TEST(Occupancy, ChildrenBelongToTheProgramThatStartedThem) {
  std::string once = shell_word(program("footprint")) + " 1024 2";
  std::string shell = once + "; " + once + " & wait";
  Held end = watch({}, {"/bin/sh", "-c", shell}).back();
  EXPECT_GE(end["program 1"], 2 * kMib);
  EXPECT_LE(end["program 1"], 2 * kMib + 4 * kBesideBytes);
}

// Returns the bytes that programs have fetched through the memory bus, by key, at the end.
Held fetched(const Words& options, const Words& programs) {
  Outcome outcome = hardmeter(Words{"llc", "--json", "--source=soft", "-d", "0.05", "--engine=" + engine(),
                                    "--l1d", "32K,8,64", "--l2", "256K,8,64", "--l3", "2M,16,64"} +
                              options + Words{"--"} + programs);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  std::string last;
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) last = line;
  Held held;
  nlohmann::json snapshot = nlohmann::json::parse(last);
  for (const auto& row : snapshot["rows"]) held[row["key"]] = row["total_bytes"].get<uint64_t>() / 64;
  return held;
}

// Returns the misses of the program alone in a cache with this number of sets and `ways` ways, from `map
// --sizes`.
uint64_t predicted(const Words& command, size_t ways) {
  TemporaryFolder folder;
  std::string path = folder.file("perf.data");
  Outcome recorded =
      hardmeter(Words{"record", "-q", "-o", path} + soft_pmu() +
                Words{"-e", "memory_moves", "-c", "10000", "--sizes=2048-2048,16", "--"} + command);
  EXPECT_EQ(recorded.status, 0) << recorded.err;
  nlohmann::json sizes = nlohmann::json::parse(hardmeter({"map", "--sizes", "--json", "-i", path}).out);
  return sizes["misses"][0][ways - 1];  // for the only number of sets
}

// A program of a MiB beside one that streams through eight, in a cache of two. With separate ways the first
// has as many misses as it has alone in these ways.
TEST(Occupancy, ASplitBringsTheGainThatIsPredicted) {
  Words victim = footprint(kMib, 1000), neighbour = footprint(8 * kMib, 100);
  Words both = victim + Words{","} + neighbour;
  uint64_t together = fetched({}, both)["program 1"],
           split = fetched({"--ways", "fff0,f"}, both)["program 1"];
  uint64_t alone = predicted(victim, 12);
  ASSERT_GT(together, split) << "the neighbour takes its lines";
  auto gain = static_cast<double>(together - split),
       foreseen = static_cast<double>(together) - static_cast<double>(alone);
  EXPECT_NEAR(gain / foreseen, 1, 0.2)
      << together << " lines together, " << split << " split, " << alone << " foreseen";
}

TEST(Occupancy, ABoundedProgramHoldsNoMoreThanItsWays) {
  EXPECT_LE(watch({"--ways", "f"}, footprint(8 * kMib, 3)).back()["program 1"], kCacheBytes / 4);
}

TEST(Occupancy, OnlyAsManySnapshotsAsWereAskedFor) {
  EXPECT_EQ(watch({"-n", "2", "-d", "0.05"}, footprint(kMib, 1000000)).size(), 2u);
}

TEST(Occupancy, WhatProgramsPrintGoesToStandardError) {
  Outcome outcome =
      hardmeter({"llc", "--csv", "--source=soft", "--engine=" + engine(), "--", "/bin/echo", "hello"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("hello"));
  EXPECT_THAT(outcome.out, HasSubstr("occupancy_bytes"));
  EXPECT_EQ(outcome.out.find("hello"), outcome.out.rfind("hello")) << outcome.out;
}

TEST(Occupancy, TheExitStatusIsThatOfTheProgramThatFailed) {
  EXPECT_EQ(hardmeter({"llc", "--source=soft", "--engine=" + engine(), "--", "/bin/true", ",", "/bin/sh",
                       "-c", "exit 7"})
                .status,
            7);
}

TEST(Occupancy, WrongWordsAreRefused) {
  EXPECT_THAT(hardmeter({"llc", "--source=soft"}).err, HasSubstr("-- PROGRAM"));
  EXPECT_THAT(hardmeter({"llc", "--source=soft", "--", "true", ","}).err, HasSubstr("comma"));
  EXPECT_THAT(hardmeter({"llc", "--source=soft", "--l3", "none", "--", "true"}).err, HasSubstr("--l3"));
  EXPECT_THAT(hardmeter({"llc", "--ways", "f,f", "--", "true"}).err, HasSubstr("one mask for each program"));
  EXPECT_THAT(hardmeter({"llc", "--ways", "xyz", "--", "true"}).err, HasSubstr("hexadecimal"));
  EXPECT_THAT(hardmeter({"llc", "--source=soft", "--ways", "fffff000", "--", "true"}).err,
              HasSubstr("contains others"));
  EXPECT_THAT(hardmeter({"llc", "-p", "4194303"}).err, HasSubstr("no such process"));
}

}  // namespace
}  // namespace hm::soft_pmu_test
