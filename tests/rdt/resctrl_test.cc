// SPDX-License-Identifier: MIT
#include "pmu/rdt/resctrl.h"

#include <sys/stat.h>

#include <fstream>

#include "pmu/rdt/l3_caches.h"
#include "pmu/rdt/thread_places.h"
#include "rdt/mounted_resctrl.h"

namespace hm::rdt_test {
namespace {

using rdt::Resctrl;
using rdt::ThreadPlace;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;

TEST(ResctrlText, IsANumberOrNone) {
  EXPECT_THAT(rdt::parse_number("4096\n"), Optional(4096u));
  EXPECT_THAT(rdt::parse_number("0\n"), Optional(0u));
  EXPECT_THAT(rdt::parse_number("18446744073709551615"), Optional(UINT64_MAX));
  for (const char* text : {"", "\n", "Unavailable\n", "Error\n", "Unassigned\n", "12x", "-1", " 1"})
    EXPECT_EQ(rdt::parse_number(text), std::nullopt) << text;
}

TEST(ResctrlText, ListsCpus) {
  EXPECT_THAT(rdt::parse_cpu_list("0-2,5\n"), Optional(ElementsAre(0, 1, 2, 5)));
  EXPECT_THAT(rdt::parse_cpu_list("\n"), Optional(ElementsAre()));
  for (const char* text : {"a\n", "1-\n", "1,,2\n", "0-99999999\n"})
    EXPECT_EQ(rdt::parse_cpu_list(text), std::nullopt) << text;
}

TEST(ResctrlText, NamesDomains) {
  EXPECT_THAT(rdt::l3_domain_of("mon_L3_00"), Optional(0u));
  EXPECT_THAT(rdt::l3_domain_of("mon_L3_12"), Optional(12u));
  EXPECT_EQ(rdt::l3_domain_of("mon_L3_"), std::nullopt);
  EXPECT_EQ(rdt::l3_domain_of("mon_PERF_PKG_00"), std::nullopt);
}

TEST(ResctrlText, SaysWhereAThreadIs) {
  EXPECT_THAT(rdt::parse_thread_place("res:/\nmon:\n"), Optional(ThreadPlace{"", ""}));
  EXPECT_THAT(rdt::parse_thread_place("res:/\nmon:a\n"), Optional(ThreadPlace{"", "mon_groups/a"}));
  EXPECT_THAT(rdt::parse_thread_place("res:batch\nmon:\n"), Optional(ThreadPlace{"batch", ""}));
  EXPECT_THAT(rdt::parse_thread_place("res:batch\nmon:a\n"),
              Optional(ThreadPlace{"batch", "batch/mon_groups/a"}));
  EXPECT_EQ(rdt::parse_thread_place("res:\nmon:\n"), std::nullopt) << "not mounted";
}

TEST(L3Caches, AreKnownBySize) {
  TemporaryFolder folder;
  const auto add_cpu = [&](const std::string& cpu, const std::string& id, const std::string& size) {
    std::string cache = folder.file(cpu) + "/cache/index3";
    std::filesystem::create_directories(cache);
    std::ofstream(cache + "/id") << id << '\n';
    std::ofstream(cache + "/size") << size << '\n';
  };
  add_cpu("cpu0", "0", "32768K");
  add_cpu("cpu1", "0", "32768K");
  add_cpu("cpu10", "3", "16M");
  add_cpu("cpufreq", "9", "1K");
  std::filesystem::create_directories(folder.file("cpu2/cache"));
  EXPECT_THAT(rdt::l3_caches(folder.file("")),
              ElementsAre(rdt::Domain{0, 32768 << 10}, rdt::Domain{3, 16 << 20}));
}

class NoResctrl : public ::testing::Test {
 protected:
  NoResctrl() {
    for (const char* name : {"proc", "root"}) ::mkdir(folder.file(name).c_str(), 0755);
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder.file(name)) << text;
  }
  Error error() {
    Result<Resctrl> resctrl = Resctrl::open({.root = folder.file("root"), .proc = folder.file("proc")});
    return resctrl ? Error{ErrorCode::kIo, "it was opened"} : resctrl.error();
  }

  TemporaryFolder folder;
};

TEST_F(NoResctrl, SaysThatTheKernelHasNone) {
  write("proc/filesystems", "nodev\tsysfs\n\text4\n");
  EXPECT_EQ(error().code, ErrorCode::kNotFound);
  EXPECT_THAT(error().message, HasSubstr("the kernel does not have that file system"));
}

TEST_F(NoResctrl, SaysThatItIsNotMounted) {
  write("proc/filesystems", "nodev\tsysfs\nnodev\tresctrl\n");
  EXPECT_EQ(error().code, ErrorCode::kNotFound);
  EXPECT_THAT(error().message, HasSubstr("mount -t resctrl resctrl " + folder.file("root")));
}

TEST_F(NoResctrl, SaysThatNothingIsMonitored) {
  write("root/tasks", "1\n");
  EXPECT_EQ(error().code, ErrorCode::kNotFound);
  EXPECT_THAT(error().message, HasSubstr("monitors no cache"));
}

class OpenedResctrl : public MountedResctrl {};

TEST_F(OpenedResctrl, SaysWhatIsMonitored) {
  Result<Resctrl> resctrl = Resctrl::open(mount.places());
  ASSERT_TRUE(resctrl.ok());
  EXPECT_EQ(resctrl->monitoring(), (rdt::Monitoring{8, true, true, true}));
  EXPECT_THAT(mount.groups(), ElementsAre()) << "opening makes no group";
}

TEST_F(OpenedResctrl, IsFoundWhereItIsMounted) {
  std::ofstream(mount.file("empty/mounts"))
      << "proc /proc proc rw 0 0\nresctrl " << mount.root() << " resctrl rw 0 0\n";
  Result<Resctrl> resctrl = Resctrl::open({.root = mount.file("empty"), .proc = mount.file("empty")});
  ASSERT_TRUE(resctrl.ok()) << resctrl.error().message;
  EXPECT_EQ(resctrl->root(), mount.root());
}

TEST_F(OpenedResctrl, ListsGroups) {
  for (const char* group : {"batch", "batch/mon_groups/a", "mon_groups/b"}) ASSERT_EQ(mount.make(group), 0);
  Result<Resctrl> resctrl = Resctrl::open(mount.places());
  ASSERT_TRUE(resctrl.ok());
  EXPECT_THAT(resctrl->groups(),
              ElementsAre(rdt::GroupFolder{"", "", false}, rdt::GroupFolder{"mon_groups/b", "", true},
                          rdt::GroupFolder{"batch", "batch", false},
                          rdt::GroupFolder{"batch/mon_groups/a", "batch", true}));
}

}  // namespace
}  // namespace hm::rdt_test
