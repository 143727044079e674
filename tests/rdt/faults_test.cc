// SPDX-License-Identifier: MIT
// Error cases: afterwards the tree is clean, and no value is invented.
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include "rdt/mounted_resctrl.h"

namespace hm::rdt_test {
namespace {

using rdt::Group;
using rdt::Provider;
using rdt::Reading;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ResctrlFaults : public MountedResctrl {
 protected:
  // Another process of hardmeter, with its own group that contains this thread.
  std::function<void(const std::function<void()>&)> other_tool(pid_t thread) {
    return [this, thread](const std::function<void()>& done) {
      auto provider = rdt::open_resctrl(mount.places());
      if (!provider) return;
      auto group = (*provider)->watch({.threads = {thread}, .cpus = {}});
      if (group) done();
    };
  }
};

TEST_F(ResctrlFaults, IdsRunOut) {
  std::unique_ptr<Provider> provider = open();
  std::vector<std::unique_ptr<Group>> groups;
  for (uint32_t i = 0; i < provider->capabilities().groups; ++i) groups.push_back(watch(*provider, {}));
  auto one_more = provider->watch({});
  ASSERT_FALSE(one_more.ok());
  EXPECT_EQ(one_more.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(one_more.error().message, HasSubstr("IDs of the processor are in use"));
  groups.pop_back();
  mount.values("limbo 1\n");
  one_more = provider->watch({});
  ASSERT_FALSE(one_more.ok());
  EXPECT_EQ(one_more.error().code, ErrorCode::kIo);
  EXPECT_THAT(one_more.error().message, HasSubstr("again in a moment"));
  mount.values("");
  EXPECT_TRUE(provider->watch({}).ok());
  groups.clear();
  EXPECT_THAT(mount.groups(), IsEmpty());
}

TEST_F(ResctrlFaults, IdsRunOutForTheSecondPart) {
  Sleeper in_root, in_batch;
  ASSERT_EQ(mount.make("batch"), 0);
  ASSERT_EQ(mount.write("batch/tasks", std::to_string(in_batch.pid())), 0);
  std::unique_ptr<Provider> provider = open();
  std::vector<std::unique_ptr<Group>> groups(5);
  for (std::unique_ptr<Group>& group : groups) group = watch(*provider, {});
  EXPECT_EQ(provider->watch({.threads = {in_root.pid(), in_batch.pid()}, .cpus = {}}).error().code,
            ErrorCode::kUnsupported);
  EXPECT_THAT(mount.groups(), SizeIs(6)) << "the first part is gone again";
  EXPECT_EQ(group_of(in_root.pid()), "");
}

TEST_F(ResctrlFaults, AGroupIsRemovedUnderTheReader) {
  Sleeper sleeper;
  std::unique_ptr<Provider> provider = open();
  std::unique_ptr<Group> group = watch(*provider, {}), other = watch(*provider, {});
  EXPECT_THAT(group->read(), SizeIs(2));
  ASSERT_EQ(mount.remove(mount.groups()[0]), 0);
  EXPECT_THAT(group->read(), IsEmpty());
  EXPECT_FALSE(group->add(sleeper.pid()).ok());
  EXPECT_THAT(other->read(), SizeIs(2));
  group.reset();
  EXPECT_THAT(mount.groups(), SizeIs(1));
}

TEST_F(ResctrlFaults, AThreadEndsBeforeItIsAdded) {
  Sleeper sleeper, ended;
  pid_t gone = ended.pid();
  ended.end();
  std::unique_ptr<Provider> provider = open();
  std::unique_ptr<Group> group = watch(*provider, {gone, sleeper.pid()});
  EXPECT_THAT(group_of(sleeper.pid()), HasSubstr("hardmeter-"));
  EXPECT_EQ(group->add(gone).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(group->add(0).error().code, ErrorCode::kNotFound);
  EXPECT_THAT(watch(*provider, {gone})->read(), SizeIs(2));
}

TEST_F(ResctrlFaults, ADomainGoesOfflineAndComesBack) {
  std::unique_ptr<Provider> provider = open();
  std::unique_ptr<Group> group = watch(*provider, {}), other = watch(*provider, {});
  mount.values("* 0 llc_occupancy 1\n* 1 llc_occupancy 2\n");
  EXPECT_THAT(group->read(), SizeIs(2));
  mount.values("* 0 llc_occupancy 1\n* 1 llc_occupancy 2\noffline 1\n");
  EXPECT_THAT(group->read(), ElementsAre(Reading{0, 1, 0, 0}));
  EXPECT_THAT(other->read(), ElementsAre(Reading{0, 1, 0, 0}));
  mount.values("* 0 llc_occupancy 1\n* 1 llc_occupancy 3\n");
  for (Group* each : {group.get(), other.get()}) (void)each->read();  // one refresh detects it
  EXPECT_THAT(group->read(), ElementsAre(Reading{0, 1, 0, 0}, Reading{1, 3, 0, 0}));
  EXPECT_THAT(other->read(), ElementsAre(Reading{0, 1, 0, 0}, Reading{1, 3, 0, 0}));
}

TEST_F(ResctrlFaults, ItIsUnmounted) {
  std::unique_ptr<Provider> provider = open();
  std::unique_ptr<Group> group = watch(*provider, {});
  mount.unmount();
  EXPECT_FALSE(provider->watch({}).ok());
  EXPECT_EQ(rdt::open_resctrl(mount.places()).error().code, ErrorCode::kNotFound);
}

TEST_F(ResctrlFaults, ThereIsNoPermission) {
  if (::geteuid() != 0) GTEST_SKIP() << "NOT TESTED: only root can become another user";
  EXPECT_EQ(status_in_child([&] {
              constexpr uid_t kNobody = 65534;
              if (::setresuid(kNobody, kNobody, kNobody) != 0) return 2;
              auto provider = rdt::open_resctrl(mount.places());
              return !provider.ok() && provider.error().code == ErrorCode::kPermission ? 0 : 1;
            }),
            0);
  EXPECT_THAT(mount.groups(), IsEmpty());
}

TEST_F(ResctrlFaults, ItIsReadOnly) {
  ASSERT_EQ(::mount(nullptr, mount.root().c_str(), nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr), 0);
  auto provider = rdt::open_resctrl(mount.places());
  ASSERT_FALSE(provider.ok());
  EXPECT_EQ(provider.error().code, ErrorCode::kPermission);
  EXPECT_THAT(provider.error().message, HasSubstr("mounted read-only"));
}

TEST_F(ResctrlFaults, TwoAtOnce) {
  Sleeper theirs, ours;
  Holder other(other_tool(theirs.pid()));
  std::string their_group = group_of(theirs.pid());
  std::unique_ptr<Provider> provider = open();
  EXPECT_THAT(mount.groups(), ElementsAre(their_group)) << "opening removes nothing of one that lives";
  std::unique_ptr<Group> group = watch(*provider, {ours.pid(), theirs.pid()});
  EXPECT_EQ(group_of(theirs.pid()), their_group);
  EXPECT_EQ(group->add(theirs.pid()).error().code, ErrorCode::kUnsupported);
  other.kill();
  EXPECT_THAT(mount.groups(), SizeIs(2));
  std::unique_ptr<Provider> next = open();
  EXPECT_THAT(mount.groups(), ElementsAre(group_of(ours.pid())));
  EXPECT_THAT(group->read(), SizeIs(2));
}

TEST_F(ResctrlFaults, ItWasKilled) {
  Sleeper sleeper, in_batch;
  for (const char* group : {"batch", "mon_groups/container"}) ASSERT_EQ(mount.make(group), 0);
  ASSERT_EQ(mount.write("batch/tasks", std::to_string(in_batch.pid())), 0);
  {
    Holder one(other_tool(sleeper.pid())), two(other_tool(in_batch.pid()));
    EXPECT_THAT(mount.groups(), SizeIs(4));
  }
  EXPECT_THAT(mount.groups(), SizeIs(4));
  std::unique_ptr<Provider> provider = open();
  EXPECT_THAT(mount.groups(), ElementsAre("mon_groups/container", "batch"));
  EXPECT_EQ(group_of(in_batch.pid()), "batch");
  EXPECT_EQ(group_of(sleeper.pid()), "");
}

TEST_F(ResctrlFaults, DescriptorsAreFew) {
  EXPECT_EQ(status_in_child([&] {
              constexpr rlim_t kFew = 32;
              rlimit few{.rlim_cur = kFew, .rlim_max = kFew};
              if (::setrlimit(RLIMIT_NOFILE, &few) != 0) return 2;
              auto provider = rdt::open_resctrl(mount.places());
              if (!provider) return 3;
              std::vector<std::unique_ptr<Group>> groups;
              for (uint32_t i = 0; i < (*provider)->capabilities().groups; ++i) {
                auto group = (*provider)->watch({});
                if (!group) return 4;
                if ((*group)->read().size() != 2 || (*group)->read()[1].occupancy_bytes != 0) return 5;
                groups.push_back(*std::move(group));
              }
              return 0;
            }),
            0);
  EXPECT_THAT(mount.groups(), IsEmpty());
}

TEST_F(ResctrlFaults, TheLimitOfDescriptorsIsRaisedWhereItCanBe) {
  EXPECT_EQ(status_in_child([&] {
              rlimit limit{};
              if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 2;
              rlim_t hard = limit.rlim_max;
              limit.rlim_cur = 64;
              if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) return 3;
              if (!rdt::open_resctrl(mount.places()).ok()) return 4;
              ::getrlimit(RLIMIT_NOFILE, &limit);
              return limit.rlim_cur > 64 && limit.rlim_max == hard ? 0 : 1;
            }),
            0);
}

}  // namespace
}  // namespace hm::rdt_test
