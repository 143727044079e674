// SPDX-License-Identifier: MIT
// The tests' file system behaves as the kernel's documentation describes.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "rdt/mounted_resctrl.h"

namespace hm::rdt_test {
namespace {

using ::testing::HasSubstr;

std::string line(pid_t thread) { return std::to_string(thread) + '\n'; }

class Filesystem : public MountedResctrl {
 protected:
  std::string status() { return mount.text("info/last_cmd_status"); }
};

TEST_F(Filesystem, MakesAGroupsFiles) {
  ASSERT_EQ(mount.make("mon_groups/a"), 0);
  EXPECT_EQ(mount.text("mon_groups/a/tasks"), "");
  EXPECT_EQ(mount.text("mon_groups/a/cpus_list"), "\n");
  EXPECT_EQ(mount.text("mon_groups/a/mon_data/mon_L3_01/llc_occupancy"), "0\n");
  EXPECT_EQ(mount.text("mon_groups/a/schemata"), "cannot be read") << "only a control group has it";
  ASSERT_EQ(mount.make("batch"), 0);
  EXPECT_EQ(mount.text("batch/schemata"), "L3:0=ffff;1=ffff\n");
  EXPECT_EQ(mount.text("batch/size"), "L3:0=33554432;1=33554432\n");
  EXPECT_EQ(mount.text("batch/mode"), "shareable\n");
  EXPECT_EQ(mount.make("batch"), EEXIST);
  EXPECT_EQ(mount.make("mon_groups/a/b"), EPERM);
  EXPECT_EQ(mount.remove("mon_groups"), EPERM);
}

TEST_F(Filesystem, RunsOutOfIds) {
  for (const char* group : {"a", "b", "c"}) EXPECT_EQ(mount.make(group), 0);
  EXPECT_EQ(mount.make("d"), ENOSPC);
  EXPECT_EQ(status(), "Out of CLOSIDs\n");
  for (const char* group : {"mon_groups/a", "a/mon_groups/a", "a/mon_groups/b"})
    EXPECT_EQ(mount.make(group), 0);
  mount.values("limbo 1\n");
  EXPECT_EQ(mount.make("mon_groups/b"), EBUSY);
  EXPECT_EQ(status(), "Out of RMIDs\n");
  mount.values("");
  EXPECT_EQ(mount.make("mon_groups/b"), 0);
  EXPECT_EQ(mount.make("mon_groups/c"), ENOSPC);
  EXPECT_EQ(mount.remove("a"), 0) << "with its monitor groups";
  EXPECT_EQ(mount.make("mon_groups/c"), 0);
}

TEST_F(Filesystem, MovesThreads) {
  Sleeper sleeper;
  ASSERT_EQ(mount.make("batch"), 0);
  ASSERT_EQ(mount.make("batch/mon_groups/a"), 0);
  EXPECT_EQ(mount.write("batch/mon_groups/a/tasks", line(sleeper.pid())), EINVAL);
  EXPECT_THAT(status(), HasSubstr("different control group"));
  EXPECT_EQ(mount.write("batch/tasks", line(sleeper.pid())), 0);
  EXPECT_EQ(mount.write("batch/mon_groups/a/tasks", line(sleeper.pid())), 0);
  EXPECT_EQ(mount.text("batch/mon_groups/a/tasks"), line(sleeper.pid()));
  EXPECT_EQ(mount.text("batch/tasks"), line(sleeper.pid())) << "those of its monitor groups, too";
  EXPECT_EQ(mount.text(".proc/" + std::to_string(sleeper.pid()) + "/cpu_resctrl_groups"),
            "res:batch\nmon:a\n");
  EXPECT_EQ(mount.remove("batch/mon_groups/a"), 0);
  EXPECT_EQ(mount.text("batch/tasks"), line(sleeper.pid()));
  EXPECT_EQ(mount.remove("batch"), 0);
  EXPECT_THAT(mount.text("tasks"), HasSubstr('\n' + line(sleeper.pid())));
  EXPECT_EQ(mount.write("tasks", "0"), 0);
  EXPECT_EQ(mount.write("tasks", "none"), EINVAL);
  pid_t ended = sleeper.pid();
  sleeper.end();
  EXPECT_EQ(mount.write("tasks", line(ended)), ESRCH);
}

TEST_F(Filesystem, PutsNewProcessesWhereTheirParentIs) {
  Parent parent;
  pid_t before = parent.start_child();
  ASSERT_EQ(mount.make("mon_groups/a"), 0);
  ASSERT_EQ(mount.write("mon_groups/a/tasks", line(parent.pid())), 0);
  pid_t after = parent.start_child();
  EXPECT_EQ(group_of(parent.pid()), "mon_groups/a");
  EXPECT_EQ(group_of(after), "mon_groups/a");
  EXPECT_EQ(group_of(before), "");
}

TEST_F(Filesystem, GivesEachCpuToOneGroup) {
  std::string all = mount.text("cpus_list");
  ASSERT_EQ(mount.make("batch"), 0);
  ASSERT_EQ(mount.make("batch/mon_groups/a"), 0);
  EXPECT_EQ(mount.write("batch/mon_groups/a/cpus_list", "0\n"), EINVAL);
  EXPECT_EQ(mount.write("batch/cpus_list", "0\n"), 0);
  EXPECT_EQ(mount.write("batch/mon_groups/a/cpus", "1\n"), 0);
  EXPECT_EQ(mount.text("batch/mon_groups/a/cpus_list"), "0\n");
  EXPECT_NE(mount.text("cpus_list"), all);
  EXPECT_EQ(mount.write("batch/cpus_list", "9999\n"), EINVAL);
  EXPECT_EQ(mount.remove("batch"), 0);
  EXPECT_EQ(mount.text("cpus_list"), all);
}

TEST_F(Filesystem, TakesAndRefusesSchemata) {
  ASSERT_EQ(mount.make("batch"), 0);
  EXPECT_EQ(mount.write("batch/schemata", "L3:0=f;1=ff0\n"), 0);
  EXPECT_EQ(mount.text("batch/schemata"), "L3:0=000f;1=0ff0\n");
  EXPECT_EQ(mount.text("batch/size"), "L3:0=8388608;1=16777216\n");
  EXPECT_EQ(mount.write("batch/schemata", " L3:1=1\n"), 0) << "of one domain";
  EXPECT_EQ(mount.write("batch/schemata", "L3:0=5\n"), EINVAL);
  EXPECT_EQ(status(), "The mask 5 has non-consecutive 1-bits\n");
  EXPECT_EQ(mount.write("batch/schemata", "L3:0=1ffff\n"), EINVAL);
  EXPECT_EQ(status(), "Mask out of range\n");
  EXPECT_EQ(mount.write("batch/schemata", "L3:0=0\n"), EINVAL);
  EXPECT_EQ(mount.write("batch/schemata", "L3:0=1;7=1\n"), EINVAL);
  EXPECT_EQ(mount.write("batch/schemata", "MB:0=10\n"), EINVAL);
  EXPECT_THAT(status(), HasSubstr("Unknown or unsupported resource name 'MB'"));
  EXPECT_EQ(mount.write("batch/schemata", "L3:0=1"), EINVAL) << "without an end";
  EXPECT_EQ(mount.text("batch/schemata"), "L3:0=000f;1=0001\n");
}

TEST_F(Filesystem, AddsMonitorGroupsToTheirControlGroup) {
  ASSERT_EQ(mount.make("mon_groups/a"), 0);
  mount.values("- 0 llc_occupancy 1000\nmon_groups/a 0 llc_occupancy 24\n- 1 llc_occupancy Unavailable\n");
  EXPECT_EQ(mount.text("mon_data/mon_L3_00/llc_occupancy"), "1024\n");
  EXPECT_EQ(mount.text("mon_data/mon_L3_01/llc_occupancy"), "0\n") << "the other one's";
  ASSERT_EQ(mount.remove("mon_groups/a"), 0);
  EXPECT_EQ(mount.text("mon_data/mon_L3_01/llc_occupancy"), "Unavailable\n");
}

}  // namespace
}  // namespace hm::rdt_test
