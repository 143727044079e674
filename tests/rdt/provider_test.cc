// SPDX-License-Identifier: MIT
#include "rdt/mounted_resctrl.h"

namespace hm::rdt_test {
namespace {

using rdt::Group;
using rdt::Provider;
using rdt::Reading;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The provider reads a thread's groups from the thread, or from the groups if that is impossible.
class ResctrlProviderTest : public MountedResctrl, public ::testing::WithParamInterface<bool> {
 protected:
  std::unique_ptr<Provider> open() {
    rdt::ResctrlPlaces places = mount.places();
    if (!GetParam()) places.proc = mount.file("empty");
    return std::move(*rdt::open_resctrl(places));
  }
};

INSTANTIATE_TEST_SUITE_P(AsksThreads, ResctrlProviderTest, ::testing::Values(true));
INSTANTIATE_TEST_SUITE_P(AsksGroups, ResctrlProviderTest, ::testing::Values(false));

TEST_P(ResctrlProviderTest, SaysWhatItCan) {
  const rdt::Capabilities can = open()->capabilities();
  EXPECT_EQ(can.name, "resctrl");
  EXPECT_TRUE(can.occupancy && can.total_bandwidth && can.local_bandwidth && can.threads && can.cpus);
  EXPECT_EQ(can.groups, 7u);
  ASSERT_EQ(can.domains.size(), 2u);
  EXPECT_EQ(can.domains[1].id, 1u);
}

TEST_P(ResctrlProviderTest, MeasuresThreadsAndLetsThemGo) {
  Sleeper sleeper;
  std::unique_ptr<Provider> provider = open();
  std::unique_ptr<Group> group = watch(*provider, {sleeper.pid()});
  EXPECT_THAT(group_of(sleeper.pid()), HasSubstr("mon_groups/hardmeter-"));
  mount.values(
      "* 0 llc_occupancy 4096\n* 1 llc_occupancy 8192\n* 1 mbm_total_bytes 7\n* 1 mbm_local_bytes 5\n");
  EXPECT_THAT(group->read(), ElementsAre(Reading{0, 4096, 0, 0}, Reading{1, 8192, 7, 5}));
  group.reset();
  EXPECT_THAT(mount.groups(), IsEmpty());
}

TEST_P(ResctrlProviderTest, DoesNotTakeWhatIsNotMeasuredForZero) {
  std::unique_ptr<Provider> provider = open();
  std::unique_ptr<Group> group = watch(*provider, {});
  mount.values("* 0 llc_occupancy Unavailable\n* 1 mbm_total_bytes Error\n");
  EXPECT_THAT(group->read(), ElementsAre(Reading{0, std::nullopt, 0, 0}, Reading{1, 0, std::nullopt, 0}));
}

TEST_P(ResctrlProviderTest, FollowsNewProcesses) {
  Parent parent;
  std::unique_ptr<Provider> provider = open();
  std::unique_ptr<Group> group = watch(*provider, {parent.pid()});
  EXPECT_EQ(group_of(parent.start_child()), group_of(parent.pid()));
}

TEST_P(ResctrlProviderTest, AddsUpWhatIsInSeveralControlGroups) {
  Sleeper in_root, in_batch, late;
  ASSERT_EQ(mount.make("batch"), 0);
  ASSERT_EQ(mount.write("batch/tasks", std::to_string(in_batch.pid())), 0);
  std::unique_ptr<Provider> provider = open();
  std::unique_ptr<Group> group = watch(*provider, {in_root.pid(), in_batch.pid()});
  std::string root_part = group_of(in_root.pid()), batch_part = group_of(in_batch.pid());
  EXPECT_THAT(batch_part, HasSubstr("batch/mon_groups/hardmeter-"));
  mount.values(root_part + " 0 llc_occupancy 100\n" + batch_part + " 0 llc_occupancy 20\n" + batch_part +
               " 1 llc_occupancy Unavailable\n" + root_part + " 1 llc_occupancy 1\n");
  EXPECT_THAT(group->read(), ElementsAre(Reading{0, 120, 0, 0}, Reading{1, std::nullopt, 0, 0}));
  ASSERT_EQ(mount.write("batch/tasks", std::to_string(late.pid())), 0);
  EXPECT_TRUE(group->add(late.pid()).ok());
  EXPECT_EQ(group_of(late.pid()), batch_part);
  ASSERT_EQ(mount.remove(batch_part), 0);
  EXPECT_THAT(group->read(), IsEmpty()) << "less than all would be wrong";
  group.reset();
  EXPECT_THAT(mount.groups(), ElementsAre("batch"));
}

TEST_P(ResctrlProviderTest, LeavesWhatOthersMonitor) {
  Sleeper theirs, ours;
  ASSERT_EQ(mount.make("mon_groups/container"), 0);
  ASSERT_EQ(mount.write("mon_groups/container/tasks", std::to_string(theirs.pid())), 0);
  std::unique_ptr<Provider> provider = open();
  std::unique_ptr<Group> group = watch(*provider, {theirs.pid(), ours.pid()});
  EXPECT_EQ(group_of(theirs.pid()), "mon_groups/container");
  Status added = group->add(theirs.pid());
  ASSERT_FALSE(added.ok());
  EXPECT_EQ(added.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(added.error().message, HasSubstr("mon_groups/container"));
  EXPECT_EQ(group_of(theirs.pid()), "mon_groups/container");
  mount.values("mon_groups/container 1 llc_occupancy 77\n");
  std::vector<rdt::ForeignGroup> foreign = provider->foreign_groups();
  ASSERT_EQ(foreign.size(), 1u);
  EXPECT_EQ(foreign[0].name, "mon_groups/container");
  EXPECT_THAT(foreign[0].threads, ElementsAre(theirs.pid()));
  EXPECT_THAT(foreign[0].readings, ElementsAre(Reading{0, 0, 0, 0}, Reading{1, 77, 0, 0}));
  ASSERT_EQ(mount.remove("mon_groups/container"), 0);
  EXPECT_THAT(provider->foreign_groups(), IsEmpty());
  EXPECT_TRUE(group->add(theirs.pid()).ok());
  EXPECT_EQ(group_of(theirs.pid()), group_of(ours.pid()));
}

TEST_P(ResctrlProviderTest, MovesThreadsBetweenItsOwnGroups) {
  Sleeper sleeper;
  std::unique_ptr<Provider> provider = open();
  std::unique_ptr<Group> one = watch(*provider, {sleeper.pid()}), other = watch(*provider, {});
  std::string before = group_of(sleeper.pid());
  EXPECT_TRUE(other->add(sleeper.pid()).ok());
  EXPECT_NE(group_of(sleeper.pid()), before);
  EXPECT_THAT(provider->foreign_groups(), IsEmpty());
}

TEST_P(ResctrlProviderTest, MeasuresCpus) {
  ASSERT_EQ(mount.make("batch"), 0);
  std::unique_ptr<Provider> provider = open();
  auto group = provider->watch({.threads = {}, .cpus = {0}});
  ASSERT_TRUE(group.ok()) << group.error().message;
  std::vector<std::string> groups = mount.groups();
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(mount.text(groups[0] + "/cpus_list"), "0\n");
  auto again = provider->watch({.threads = {}, .cpus = {0}});
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(again.error().message, HasSubstr(groups[0]));
  auto offline = provider->watch({.threads = {}, .cpus = {4095}});
  ASSERT_FALSE(offline.ok());
  EXPECT_EQ(offline.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(provider->watch({.threads = {1}, .cpus = {0}}).error().code, ErrorCode::kInvalidArgument);
  group->reset();
  ASSERT_EQ(mount.write("batch/cpus_list", "0\n"), 0);
  auto in_batch = provider->watch({.threads = {}, .cpus = {0}});
  ASSERT_TRUE(in_batch.ok()) << in_batch.error().message;
  EXPECT_THAT(mount.groups()[1], HasSubstr("batch/mon_groups/hardmeter-"));
}

TEST_P(ResctrlProviderTest, GroupsOutliveIt) {
  std::unique_ptr<Group> group;
  {
    std::unique_ptr<Provider> provider = open();
    group = watch(*provider, {});
  }
  EXPECT_EQ(group->read().size(), 2u);
  group.reset();
  EXPECT_THAT(mount.groups(), IsEmpty());
}

TEST_P(ResctrlProviderTest, BoundsThreadsToWaysAndLetsThemGo) {
  Sleeper sleeper;
  std::unique_ptr<Provider> provider = open();
  uint64_t all = provider->capabilities().ways;
  ASSERT_NE(all, 0u);
  auto group = provider->watch({.threads = {sleeper.pid()}, .ways = 0b11});
  ASSERT_TRUE(group.ok()) << group.error().message;
  std::string path = group_of(sleeper.pid());
  EXPECT_THAT(path, ::testing::StartsWith("hardmeter-"));
  EXPECT_THAT(mount.text(path + "/schemata"), HasSubstr("0=0003;1=0003"));
  mount.values(path + " 0 llc_occupancy 4096\n");
  EXPECT_EQ((*group)->read().at(0).occupancy_bytes, 4096u);
  group->reset();
  EXPECT_THAT(mount.groups(), IsEmpty());
}

TEST_P(ResctrlProviderTest, RefusesWaysThatTheKernelDoesNotTake) {
  std::unique_ptr<Provider> provider = open();
  uint64_t beyond = provider->capabilities().ways + 1;
  EXPECT_EQ(provider->watch({.ways = beyond}).error().code, ErrorCode::kInvalidArgument);
  auto with_a_hole = provider->watch({.ways = 0b101});
  EXPECT_EQ(with_a_hole.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(with_a_hole.error().message, HasSubstr("0=5"));
  EXPECT_EQ(provider->watch({.cpus = {0}, .ways = 1}).error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(mount.groups(), IsEmpty());
}

TEST_P(ResctrlProviderTest, LeavesThreadsThatOthersHaveBounded) {
  Sleeper sleeper;
  ASSERT_EQ(mount.make("batch"), 0);
  ASSERT_EQ(mount.write("batch/tasks", std::to_string(sleeper.pid())), 0);
  std::unique_ptr<Provider> provider = open();
  auto group = provider->watch({.ways = 1});
  ASSERT_TRUE(group.ok());
  EXPECT_EQ((*group)->add(sleeper.pid()).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(group_of(sleeper.pid()), "batch");
}

TEST_P(ResctrlProviderTest, WhatAKilledOneBoundedIsFreeAtTheNextStart) {
  Sleeper sleeper;
  Holder holder([&](const std::function<void()>& done) {
    std::unique_ptr<Provider> provider = open();
    auto group = provider->watch({.threads = {sleeper.pid()}, .ways = 1});
    done();
  });
  EXPECT_THAT(mount.groups(), ::testing::SizeIs(1));
  holder.kill();
  (void)open();
  EXPECT_THAT(mount.groups(), IsEmpty());
  EXPECT_EQ(group_of(sleeper.pid()), "");
}

}  // namespace
}  // namespace hm::rdt_test
