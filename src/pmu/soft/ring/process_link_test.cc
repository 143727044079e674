// SPDX-License-Identifier: MIT
// A process's end of a recording, in a session folder made like the recorder's.
#include "pmu/soft/ring/process_link.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace hm::soft {
namespace {

struct TestMemory {
  static void* map_shared(int fd, uint64_t bytes) {
    if (refuse) return nullptr;
    void* mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (mapped == MAP_FAILED) return nullptr;
    mappings.insert(mapped);
    return mapped;
  }
  static void unmap(void* mapping, uint64_t bytes) {
    EXPECT_EQ(mappings.erase(mapping), 1u);
    ::munmap(mapping, bytes);
  }
  static int hide_descriptor(int fd) {
    constexpr int kHigh = 500;
    int moved = ::fcntl(fd, F_DUPFD_CLOEXEC, kHigh);
    ::close(fd);
    return moved;
  }

  static inline bool refuse = false;
  static inline std::set<void*> mappings;
};

using Link = ProcessLink<TestMemory>;

class ProcessLinkTest : public testing::Test {
 protected:
  void SetUp() override {
    TestMemory::refuse = false;
    TestMemory::mappings.clear();
    char path[] = "/tmp/hardmeter-link-XXXXXX";
    ASSERT_NE(::mkdtemp(path), nullptr);
    folder_ = path;
  }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  void write_session(uint64_t magic = kSessionMagic, uint32_t recorder_user = 0) {
    Session session{};
    session.magic = magic;
    session.recorder_user = recorder_user;
    session.ring_data_bytes = 4096;
    std::ofstream file(folder_ + "/" + kSessionFileName, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&session), sizeof(session));
  }

  std::set<std::string> rings() {
    std::set<std::string> names;
    for (const auto& each : std::filesystem::directory_iterator(folder_)) {
      std::string name = each.path().filename();
      if (name.starts_with(kRingFilePrefix)) names.insert(name);
    }
    return names;
  }

  std::string folder_;
};

TEST_F(ProcessLinkTest, MakesARingThatTheRecorderFinds) {
  write_session();
  Link link;
  EXPECT_EQ(link.session(), nullptr);
  EXPECT_EQ(link.ring(), nullptr);
  ASSERT_TRUE(link.open_session(folder_.c_str()));
  EXPECT_EQ(link.session()->ring_data_bytes, 4096u);
  ASSERT_TRUE(link.open_ring());
  ASSERT_EQ(rings().size(), 1u);
  std::string name = *rings().begin();
  EXPECT_TRUE(name.starts_with(kRingFilePrefix + std::to_string(::getpid()) + "-")) << name;
  struct stat status {};
  ASSERT_EQ(::stat((folder_ + "/" + name).c_str(), &status), 0);
  EXPECT_EQ(static_cast<uint64_t>(status.st_size), ring_file_bytes(4096));
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  link.ring()->open(4321);
  EXPECT_EQ(link.ring()->status().pid, 4321u);
  EXPECT_EQ(link.session()->rings_created, 1u);
}

TEST_F(ProcessLinkTest, ARingForAnotherUserCanBeOpenedByWhoKnowsItsName) {
  write_session(kSessionMagic, ::geteuid() + 1);
  Link link;
  ASSERT_TRUE(link.open_session(folder_.c_str()));
  ASSERT_TRUE(link.open_ring());
  ASSERT_TRUE(link.open_ring());
  std::set<std::string> names = rings();
  ASSERT_EQ(names.size(), 2u);
  uint64_t greatest = 0;
  for (const std::string& name : names) {
    struct stat status {};
    ASSERT_EQ(::stat((folder_ + "/" + name).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0666u);
    greatest = std::max<uint64_t>(greatest, std::stoull(name.substr(name.rfind('-') + 1)));
  }
  EXPECT_GT(greatest, monotonic_ns()) << "the names tell the time, not random numbers";
}

TEST_F(ProcessLinkTest, AForkedChildLeavesItsParentsRingBehind) {
  write_session();
  Link link;
  ASSERT_TRUE(link.open_session(folder_.c_str()));
  ASSERT_TRUE(link.open_ring());
  RingStatus* first = &link.ring()->status();
  size_t mapped = TestMemory::mappings.size();
  first->pid = 1;
  ASSERT_TRUE(link.open_ring());
  EXPECT_EQ(TestMemory::mappings.size(), mapped);
  EXPECT_EQ(link.ring()->status().pid, 0u);
  EXPECT_EQ(rings().size(), 2u) << "the parent goes on with its own";
}

TEST_F(ProcessLinkTest, WithoutASessionThereIsNone) {
  Link none;
  EXPECT_FALSE(none.open_session((folder_ + "/nowhere").c_str()));
  EXPECT_FALSE(none.open_session(folder_.c_str())) << "an empty folder";
  write_session(kSessionMagic + 1);
  EXPECT_FALSE(none.open_session(folder_.c_str())) << "of another version";
  EXPECT_EQ(none.session(), nullptr);
}

TEST_F(ProcessLinkTest, ARingThatCannotBeMappedIsToldAndLeavesNothing) {
  write_session();
  Link link;
  ASSERT_TRUE(link.open_session(folder_.c_str()));
  TestMemory::refuse = true;
  EXPECT_FALSE(link.open_ring());
  EXPECT_EQ(link.ring(), nullptr);
  EXPECT_EQ(link.session()->unrecorded, 1u);
  EXPECT_TRUE(rings().empty());
}

TEST(RingFileName, HasThePidAndTheTime) {
  EXPECT_STREQ(RingFileName(0, 0).text, "ring-0-0");
  EXPECT_STREQ(RingFileName(4194304, 1234567890123456789).text, "ring-4194304-1234567890123456789");
  EXPECT_STREQ(RingFileName(~uint32_t{0}, ~uint64_t{0}).text, "ring-4294967295-18446744073709551615");
}

}  // namespace
}  // namespace hm::soft
