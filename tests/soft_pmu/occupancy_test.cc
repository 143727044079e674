// SPDX-License-Identifier: MIT
// Who holds the modelled last-level cache, of programs whose footprint is known (tests/programs/footprint.c).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "base/json.h"
#include "measuring.h"
#include "support/paths.h"

namespace hm::soft_pmu_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr uint64_t kKib = 1024, kMib = 1024 * kKib;
constexpr uint64_t kCacheBytes = 4 * kMib;
const Words kCaches = {"--l1d", "32K,8,64", "--l2", "256K,8,64", "--l3", "4M,16,64"};
// The loader, the C library, the stack, and the program's own code.
constexpr uint64_t kBesideBytes = 300 * kKib;

using Held = std::map<std::string, uint64_t>;  // bytes, by key

// The snapshots of `hardmeter llc --json`.
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
  std::string shell = program("footprint") + " 1024 2; " + program("footprint") + " 1024 2 & wait";
  Held end = watch({}, {"/bin/sh", "-c", shell}).back();
  EXPECT_GE(end["program 1"], 2 * kMib);
  EXPECT_LE(end["program 1"], 2 * kMib + 4 * kBesideBytes);
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
  EXPECT_THAT(hardmeter({"llc", "-p", "4194303"}).err, HasSubstr("no such process"));
}

}  // namespace
}  // namespace hm::soft_pmu_test
