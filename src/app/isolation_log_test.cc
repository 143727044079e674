// SPDX-License-Identifier: MIT
#include "app/isolation_log.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/temporary_folder.h"
#include "record/comm.h"
#include "record/task.h"

namespace hm::app {
namespace {

namespace fs = std::filesystem;

const std::string kContainerId(64, 'a');

class IsolationLogTest : public ::testing::Test {
 protected:
  void remove(uint32_t pid) { fs::remove_all(root_.file("proc/" + std::to_string(pid))); }
  // Adds a process, or moves it. One without mounts has ended.
  void add(uint32_t pid, const std::string& cgroup, uint64_t mounts) {
    fs::path process = root_.file("proc/" + std::to_string(pid));
    fs::create_directories(process / "ns");
    std::ofstream(process / "cgroup") << "0::" << cgroup << '\n';
    fs::remove(process / "ns/mnt");
    if (mounts != 0) fs::create_symlink("mnt:[" + std::to_string(mounts) + "]", process / "ns/mnt");
  }
  void name(uint32_t pid, bool by_exec = false) {
    ByteWriter payload;
    record::encode_comm({.pid = pid, .tid = pid, .name = "p"}, payload);
    see(PERF_RECORD_COMM, by_exec ? PERF_RECORD_MISC_COMM_EXEC : 0, payload);
  }
  void fork(uint32_t pid, uint32_t parent) {
    ByteWriter payload;
    record::encode_task({.pid = pid, .parent_pid = parent, .tid = pid, .parent_tid = parent}, payload);
    see(PERF_RECORD_FORK, 0, payload);
  }
  [[nodiscard]] record::IsolatedProcesses seen() const { return log_.processes(); }

  TemporaryFolder root_;

 private:
  void see(uint32_t type, uint16_t misc, const ByteWriter& payload) {
    log_.see(record::Record{type, misc, false, payload.bytes(), 0});
  }

  IsolationLog log_{root_.file("")};
};

record::Isolation group(const std::string& path, uint64_t mounts, const std::string& container = "") {
  return {path, container, {{"mnt", mounts}}};
}

TEST_F(IsolationLogTest, ReadsEachProcessAndGroupsEqualOnes) {
  add(1, "/a.service", 40);
  add(2, "/a.service", 40);
  add(3, "/a.service", 41);
  for (uint32_t pid : {2, 1, 3}) name(pid);
  EXPECT_EQ(seen(),
            (record::IsolatedProcesses{{group("/a.service", 40), {1, 2}}, {group("/a.service", 41), {3}}}));
}

TEST_F(IsolationLogTest, ChildrenHaveThatOfTheirParentEvenIfTheyEndAtOnce) {
  add(1, "/a.service", 40);
  name(1);
  fork(7, 1);
  name(7);
  fork(8, 7);
  EXPECT_EQ(seen(), (record::IsolatedProcesses{{group("/a.service", 40), {1, 7, 8}}}));
}

TEST_F(IsolationLogTest, AProgramIsReadAgain) {
  add(1, "/a.service", 40);
  name(1);
  add(1, "/docker/" + kContainerId, 50);
  name(1);
  EXPECT_EQ(seen().begin()->first.cgroup, "/a.service");
  name(1, true);
  EXPECT_EQ(seen(), (record::IsolatedProcesses{{group("/docker/" + kContainerId, 50), {1}}}));
}

TEST_F(IsolationLogTest, HasTheNameOfTheContainerAroundAGroup) {
  fs::create_directories(root_.file("var/lib/docker/containers/" + kContainerId));
  std::ofstream(root_.file("var/lib/docker/containers/" + kContainerId + "/config.v2.json"))
      << R"({"Name":"/web"})";
  add(1, "/system.slice/docker-" + kContainerId + ".scope/worker", 40);
  name(1);
  EXPECT_EQ(seen().begin()->first.container, "web");
}

// Records of different CPUs are read one CPU after another.
TEST_F(IsolationLogTest, AForkAfterTheProgramKeepsItsGroup) {
  add(1, "/a.service", 40);
  name(1);
  add(7, "/docker/" + kContainerId, 50);
  name(7, true);
  remove(7);
  fork(7, 1);
  EXPECT_EQ(seen().at(group("/docker/" + kContainerId, 50)), std::vector<uint32_t>{7});
}

TEST_F(IsolationLogTest, AProgramThatHasEndedKeepsWhatIsKnown) {
  add(1, "/a.service", 40);
  name(1);
  fork(7, 1);
  add(7, "/", 0);  // a zombie
  name(7, true);
  EXPECT_EQ(seen(), (record::IsolatedProcesses{{group("/a.service", 40), {1, 7}}}));
}

TEST_F(IsolationLogTest, ARemovedGroupKeepsItsPath) {
  add(1, "/a.service (deleted)", 40);
  name(1);
  EXPECT_EQ(seen().begin()->first.cgroup, "/a.service");
}

TEST_F(IsolationLogTest, AProcessThatHasEndedIsUnknown) {
  name(5);
  name(5, true);
  EXPECT_TRUE(seen().empty());
}

}  // namespace
}  // namespace hm::app
