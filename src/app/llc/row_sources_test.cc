// SPDX-License-Identifier: MIT
#include "app/llc/row_sources.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/temporary_folder.h"

namespace hm::llc {
namespace {

using occupancy::By;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A folder tree like /proc.
class Proc {
 public:
  void add(pid_t pid, const std::string& name, pid_t parent, const std::string& cgroup = "/",
           char state = 'S') {
    std::string own = path(pid);
    std::filesystem::create_directories(own + "/task/" + std::to_string(pid));
    std::ofstream(own + "/stat") << fmt::format("{} ({}) {} {} 1 1 0\n", pid, name, state, parent);
    std::ofstream(own + "/cgroup") << "0::" << cgroup << '\n';
    add_thread(pid, pid, name);
  }
  void add_thread(pid_t pid, pid_t thread, const std::string& name) {
    std::string own = path(pid) + "/task/" + std::to_string(thread);
    std::filesystem::create_directories(own);
    std::ofstream(own + "/comm") << name << '\n';
  }
  void set_command_line(pid_t pid, const std::string& words) {
    std::ofstream(path(pid) + "/cmdline") << words;
  }
  void remove(pid_t pid) { std::filesystem::remove_all(path(pid)); }
  [[nodiscard]] std::string root() const { return folder_.file(""); }

 private:
  [[nodiscard]] std::string path(pid_t pid) const { return folder_.file(std::to_string(pid)); }

  TemporaryFolder folder_;
};

class RowSources : public ::testing::Test {
 protected:
  RowSources() {
    proc.add(1, "init", 0);
    proc.add(2, "kthreadd", 0);
    proc.add(3, "kworker", 2);
    proc.add(10, "sh", 1, "/user.slice");
    proc.add(11, "make (1)", 10, "/user.slice");
    proc.add(12, "cc", 11, "/user.slice");
    proc.add(20, "postgres", 1, "/system.slice/postgresql.service");
    proc.add(30, "gone", 1, "/", 'Z');
  }

  std::vector<WantedRow> rows(By by, std::vector<pid_t> processes = {}) {
    RowOptions options;
    options.by = by;
    options.processes = std::move(processes);
    return wanted_rows(options, std::make_shared<TaskTable>(proc.root()))();
  }
  static std::vector<std::string> names(const std::vector<WantedRow>& rows) {
    std::vector<std::string> all;
    std::ranges::transform(rows, std::back_inserter(all), &WantedRow::name);
    return all;
  }

  Proc proc;
};

TEST_F(RowSources, ProcessesAreThoseOfUsersBelowTheirParents) {
  std::vector<WantedRow> found = rows(By::kProcess);
  EXPECT_THAT(names(found), ElementsAre("init", "sh", "make (1)", "cc", "postgres"));
  EXPECT_EQ(found[3].parent, "process 11");
  EXPECT_THAT(found[3].processes, ElementsAre(12));
}

TEST_F(RowSources, ProcessesThatAreNamedComeWithWhatTheyStarted) {
  EXPECT_THAT(names(rows(By::kProcess, {11, 20})), ElementsAre("make (1)", "cc", "postgres"));
  EXPECT_THAT(rows(By::kProcess, {99}), IsEmpty());
}

TEST_F(RowSources, TreesAreWhatInitStarted) {
  std::vector<WantedRow> found = rows(By::kTree);
  EXPECT_THAT(names(found), ElementsAre("init", "sh", "postgres"));
  EXPECT_THAT(found[1].processes, ElementsAre(10, 11, 12));
  EXPECT_THAT(rows(By::kTree, {11})[0].processes, ElementsAre(11, 12));
}

TEST_F(RowSources, SomeProcessesBeginTreesOfTheirOwn) {
  RowOptions options;
  options.by = By::kTree;
  options.roots = {11};
  EXPECT_THAT(names(wanted_rows(options, std::make_shared<TaskTable>(proc.root()))()),
              ElementsAre("init", "sh", "make (1)", "postgres"));
  options.roots.clear();
  options.apart_from = 11;
  EXPECT_THAT(names(wanted_rows(options, std::make_shared<TaskTable>(proc.root()))()),
              ElementsAre("init", "sh", "cc", "postgres"));
}

TEST_F(RowSources, ControlGroupsHaveTheNamesThatPeopleKnow) {
  EXPECT_THAT(names(rows(By::kCgroup)), ElementsAre("/", "postgresql.service", "user.slice"));
}

TEST_F(RowSources, ThreadsAreNamedWithTheirProcess) {
  proc.add_thread(20, 21, "walwriter");
  std::vector<WantedRow> found = rows(By::kThread, {20});
  std::ranges::sort(found, {}, &WantedRow::key);
  EXPECT_THAT(names(found), ElementsAre("postgres", "walwriter (postgres)"));
  EXPECT_THAT(found[1].threads, ElementsAre(21));
}

TEST_F(RowSources, VirtualMachinesAreQemusProcesses) {
  using namespace std::string_literals;
  proc.add(40, "qemu-system-x86", 1);
  proc.set_command_line(40, "/usr/bin/qemu-system-x86_64\0-name\0guest=web,debug-threads=on\0-m\0512\0"s);
  EXPECT_THAT(names(rows(By::kVm)), ElementsAre("web"));
  EXPECT_EQ(vm_name({"qemu-system-x86_64", "-m", "512"}), "qemu-system-x86_64");
  EXPECT_EQ(vm_name({"vi", "-name", "x"}), "");
  EXPECT_EQ(vm_name({"qemu-system-x86_64", "-name", "debug-threads=on,guest=a,,b"}), "a,b");
  EXPECT_EQ(vm_name({"qemu-system-x86_64", "-name", "debug-threads=on"}), "qemu-system-x86_64");
}

TEST_F(RowSources, ChangesAreSeen) {
  auto tasks = std::make_shared<TaskTable>(proc.root());
  WantedRows wanted = wanted_rows({By::kProcess, {10}, {}}, tasks);
  EXPECT_EQ(wanted().size(), 3u);
  proc.remove(12);
  proc.add(13, "ld", 11);
  EXPECT_THAT(names(wanted()), ElementsAre("sh", "make (1)", "ld"));
  proc.add(13, "renamed", 11);
  for (int i = 0; i < 16; ++i) (void)wanted();
  EXPECT_THAT(names(wanted()), ElementsAre("sh", "make (1)", "renamed"));
}

}  // namespace
}  // namespace hm::llc
