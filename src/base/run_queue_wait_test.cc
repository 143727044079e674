// SPDX-License-Identifier: MIT
#include "base/run_queue_wait.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/temporary_folder.h"

namespace hm {
namespace {

class RunQueueWait : public testing::Test {
 protected:
  void write(int thread, const std::string& schedstat) {
    std::string path = folder_.file("7/task/" + std::to_string(thread));
    std::filesystem::create_directories(path);
    std::ofstream(path + "/schedstat") << schedstat;
  }

  TemporaryFolder folder_;
};

TEST_F(RunQueueWait, IsTheSumOverThreads) {
  write(7, "1000 20 3\n");
  write(8, "5 300 1\n");
  EXPECT_EQ(run_queue_wait_ns(7, folder_.file("")), 320u);
}

TEST_F(RunQueueWait, IsOfTheFirstThreadsIfThereAreMany) {
  for (int i = 0; i < 100; ++i) write(7 + i, i < 32 ? "1 1 1\n" : "1 1000 1\n");
  EXPECT_EQ(run_queue_wait_ns(7, folder_.file("")), 32u);
}

TEST_F(RunQueueWait, IsZeroIfUnknown) {
  write(7, "");
  write(8, "x y z");
  EXPECT_EQ(run_queue_wait_ns(7, folder_.file("")), 0u);
  EXPECT_EQ(run_queue_wait_ns(8, folder_.file("")), 0u);
}

TEST_F(RunQueueWait, OfThisProcessGrowsOnly) {
  uint64_t before = run_queue_wait_ns(::getpid());
  ::sched_yield();
  EXPECT_GE(run_queue_wait_ns(::getpid()), before);
}

}  // namespace
}  // namespace hm
