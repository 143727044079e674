// SPDX-License-Identifier: MIT
#include "app/llc/monitor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

namespace hm::llc {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr uint64_t kSecondNs = 1'000'000'000;
constexpr uint64_t kCacheBytes = 1 << 20;

// Measures a limited number of groups at a time. The reading of a group is that of its first thread.
class FewGroups final : public rdt::Provider {
 public:
  explicit FewGroups(size_t most) : most_(most) {
    capabilities_.name = "a test";
    capabilities_.occupancy = capabilities_.total_bandwidth = capabilities_.threads = true;
    capabilities_.domains = {{0, kCacheBytes}};
  }

  class Group final : public rdt::Group {
   public:
    explicit Group(FewGroups& all) : all_(all) { ++all_.used; }
    ~Group() override { --all_.used; }
    Status add(pid_t thread) override {
      if (all_.foreign.contains(thread)) return make_error(ErrorCode::kUnsupported, "somebody else has it");
      threads.push_back(thread);
      return {};
    }
    std::vector<rdt::Reading> read() override {
      if (all_.are_removed) return {};
      if (threads.empty()) return {{0, 0, 0, std::nullopt}};
      return {all_.held[threads.front()]};
    }
    std::vector<pid_t> threads;

   private:
    FewGroups& all_;
  };

  const rdt::Capabilities& capabilities() const override { return capabilities_; }
  Result<std::unique_ptr<rdt::Group>> watch(const rdt::Members&) override {
    if (limbo) return make_error(ErrorCode::kIo, "ids have lines");
    if (used == most_) return make_error(ErrorCode::kUnsupported, "all ids are in use");
    return std::unique_ptr<rdt::Group>(std::make_unique<Group>(*this));
  }

  std::vector<rdt::ForeignGroup> foreign_groups() override { return others; }

  std::map<pid_t, rdt::Reading> held;     // by thread
  std::vector<rdt::ForeignGroup> others;  // groups of other programs
  size_t used = 0;
  std::set<pid_t> foreign;   // threads that another program monitors
  bool are_removed = false;  // existing groups were removed
  bool limbo = false;

 private:
  size_t most_;
  rdt::Capabilities capabilities_;
};

class MonitorTest : public ::testing::Test {
 protected:
  // Adds a row of one thread with an occupancy of `held`.
  void want(pid_t thread, std::optional<uint64_t> held, uint64_t total = 0) {
    WantedRow row;
    row.key = row.name = "row " + std::to_string(thread);
    row.threads = {thread};
    rows.push_back(row);
    provider.held[thread] = {0, held, total, std::nullopt};
  }
  occupancy::Snapshot refresh() { return monitor.refresh(now_ns += kSecondNs); }

  FewGroups provider{2};
  std::vector<WantedRow> rows;
  Monitor monitor{provider, occupancy::By::kThread, [this] { return rows; }};
  uint64_t now_ns = 5 * kSecondNs;
};

TEST_F(MonitorTest, MeasuresRowsInTheirOrder) {
  want(1, 4096, 1000);
  want(2, 8192);
  occupancy::Snapshot first = refresh();
  EXPECT_EQ(first.cache_bytes, kCacheBytes);
  EXPECT_EQ(first.elapsed_s, 0);
  ASSERT_EQ(first.rows.size(), 2u);
  EXPECT_EQ(first.rows[0].occupancy_bytes, 4096u);
  EXPECT_EQ(first.rows[0].total_bytes_per_s, std::nullopt) << "a rate takes two readings";
  provider.held[1].total_bytes = 1500;
  occupancy::Snapshot second = refresh();
  EXPECT_EQ(second.elapsed_s, 1);
  EXPECT_EQ(second.rows[0].total_bytes_per_s, 500);
  EXPECT_EQ(second.rows[1].measured_share, 1);
  EXPECT_THAT(second.remarks, IsEmpty());
}

TEST_F(MonitorTest, WhatIsNotMeasuredIsNotZero) {
  want(1, std::nullopt);
  EXPECT_EQ(refresh().rows[0].occupancy_bytes, std::nullopt);
}

TEST_F(MonitorTest, AGroupThatHasJustBegunIsALowerBound) {
  want(1, 4096);
  occupancy::Snapshot first = refresh();
  EXPECT_EQ(first.rows[0].low_bytes, 4096u);
  EXPECT_EQ(first.rows[0].high_bytes, kCacheBytes);
  for (uint64_t i = 0; i < kWarmUpRefreshes; ++i) (void)refresh();
  EXPECT_EQ(refresh().rows[0].high_bytes, 4096u);
}

TEST_F(MonitorTest, MoreRowsThanGroupsAreMeasuredInTurn) {
  for (pid_t thread : {1, 2, 3, 4}) want(thread, 1000 * thread);
  occupancy::Snapshot last;
  for (int i = 0; i < 41; ++i) {
    last = refresh();
    EXPECT_LE(provider.used, 2u);
  }
  for (pid_t thread : {1, 2, 3, 4}) {
    const occupancy::Row& row = last.rows[static_cast<size_t>(thread - 1)];
    EXPECT_EQ(row.occupancy_bytes, 1000u * static_cast<uint64_t>(thread));
    EXPECT_NEAR(row.measured_share, 0.5, 0.15);
    EXPECT_EQ(row.low_bytes, row.occupancy_bytes) << "it was the same in each turn";
    EXPECT_EQ(row.high_bytes, row.occupancy_bytes);
  }
  EXPECT_THAT(last.remarks, ElementsAre(HasSubstr("in turn")));
}

TEST_F(MonitorTest, HowMuchItChangesBetweenTurnsIsTheInterval) {
  for (pid_t thread : {1, 2, 3, 4}) want(thread, 0);
  occupancy::Snapshot last;
  for (uint64_t i = 0; i < 60; ++i) {
    provider.held[1].occupancy_bytes = 100000 + (i / 8 % 2) * 20000;
    last = refresh();
  }
  while (last.rows[0].age_ns == 0) last = refresh();  // until other rows are measured
  EXPECT_LT(last.rows[0].low_bytes, *last.rows[0].occupancy_bytes);
  EXPECT_GT(last.rows[0].high_bytes, *last.rows[0].occupancy_bytes);
  EXPECT_GE(last.rows[0].high_bytes - last.rows[0].low_bytes, 40000u);
}

TEST_F(MonitorTest, ARowThatWasNeverMeasuredHasNothing) {
  for (pid_t thread : {1, 2, 3}) want(thread, 1000);
  occupancy::Snapshot first = refresh();
  EXPECT_EQ(first.rows[2].occupancy_bytes, std::nullopt);
  EXPECT_EQ(first.rows[2].measured_share, 0);
}

TEST_F(MonitorTest, IdsThatStillHaveLinesAreWaitedFor) {
  want(1, 4096);
  provider.limbo = true;
  EXPECT_EQ(refresh().rows[0].occupancy_bytes, std::nullopt);
  provider.limbo = false;
  EXPECT_EQ(refresh().rows[0].occupancy_bytes, 4096u);
}

TEST_F(MonitorTest, RowsThatGoAreNoLongerMeasured) {
  want(1, 4096);
  want(2, 4096);
  (void)refresh();
  EXPECT_EQ(provider.used, 2u);
  rows.pop_back();
  EXPECT_EQ(refresh().rows.size(), 1u);
  EXPECT_EQ(provider.used, 1u);
}

TEST_F(MonitorTest, NewMembersAreAddedOnce) {
  want(1, 4096);
  (void)refresh();
  rows[0].threads.push_back(7);
  (void)refresh();
  provider.held[1].occupancy_bytes = 1;
  EXPECT_EQ(refresh().rows[0].members, 2u);
}

TEST_F(MonitorTest, WhatSomebodyElseHasMonitoredIsNotMeasuredUntilTheyLeaveIt) {
  want(1, 4096);
  provider.foreign = {1};
  for (int i = 0; i < 3; ++i) {
    occupancy::Snapshot now = refresh();
    EXPECT_EQ(now.rows[0].occupancy_bytes, std::nullopt) << "what an empty group holds is nobody's";
    EXPECT_EQ(now.rows[0].measured_share, i == 0 ? 1 : 0);
    EXPECT_THAT(now.remarks, ElementsAre("somebody else has it"));
  }
  provider.foreign.clear();
  occupancy::Snapshot now = refresh();
  EXPECT_EQ(now.rows[0].occupancy_bytes, 4096u);
  EXPECT_THAT(now.remarks, IsEmpty());
}

TEST_F(MonitorTest, AGroupThatSomebodyElseHasRemovedIsMadeAgain) {
  want(1, 4096);
  (void)refresh();
  provider.are_removed = true;
  EXPECT_EQ(refresh().rows[0].occupancy_bytes, std::nullopt);
  EXPECT_EQ(provider.used, 0u);
  provider.are_removed = false;
  EXPECT_EQ(refresh().rows[0].occupancy_bytes, 4096u);
}

TEST_F(MonitorTest, AProcessIsAllOfItsThreads) {
  WantedRow row;
  row.key = "own";
  row.processes = {::getpid()};
  rows.push_back(row);
  provider.held[::getpid()] = {0, 77, 0, std::nullopt};
  EXPECT_EQ(refresh().rows[0].occupancy_bytes, 77u);
}

TEST_F(MonitorTest, GroupsOfOthersAreShownWhereTheyAreAskedFor) {
  want(1, 4096);
  provider.others = {{"mon_groups/night", {5, 6}, {{0, 777, 1000, std::nullopt}}}};
  EXPECT_EQ(refresh().rows.size(), 1u);
  monitor.show_foreign_groups();
  (void)refresh();
  provider.others[0].readings[0].total_bytes = 1400;
  occupancy::Snapshot snapshot = refresh();
  ASSERT_EQ(snapshot.rows.size(), 2u);
  const occupancy::Row& foreign = snapshot.rows[1];
  EXPECT_TRUE(foreign.is_foreign);
  EXPECT_THAT(foreign.name, HasSubstr("night"));
  EXPECT_EQ(foreign.members, 2u);
  EXPECT_EQ(foreign.occupancy_bytes, 777u);
  EXPECT_EQ(foreign.low_bytes, 777u);
  EXPECT_EQ(foreign.total_bytes_per_s, 400);
  provider.others.clear();
  EXPECT_EQ(refresh().rows.size(), 1u);
}

TEST_F(MonitorTest, ACounterThatBeginsAnewHasNoRate) {
  want(1, 4096, 1000);
  (void)refresh();
  provider.held[1].total_bytes = 10;
  EXPECT_EQ(refresh().rows[0].total_bytes_per_s, std::nullopt);
}

}  // namespace
}  // namespace hm::llc
