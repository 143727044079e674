// SPDX-License-Identifier: MIT
#include "pmu/linux/pid_and_cpu.h"

#include <gtest/gtest.h>

#include "pmu/linux/fake_kernel.h"

namespace hm::linux_pmu {
namespace {

TEST(PidAndCpu, ReadsCpuLists) {
  EXPECT_EQ(*parse_cpu_list("0-3,7"), (std::vector<int>{0, 1, 2, 3, 7}));
  EXPECT_EQ(*parse_cpu_list("2,1-2"), (std::vector<int>{1, 2}));
  for (const char* bad : {"", "a", "1-", "3-1", "-1", "1,,2", "0-99999999", "1 2"}) {
    EXPECT_FALSE(parse_cpu_list(bad).ok()) << bad;
  }
}

TEST(PidAndCpu, ThreadsTimesCpusWithRings) {
  Event event;
  EXPECT_EQ(pids_and_cpus(event, {10, 11}, {0, 1}, true),
            (std::vector<PidAndCpu>{{10, 0}, {10, 1}, {11, 0}, {11, 1}}));
  EXPECT_EQ(pids_and_cpus(event, {10, 11}, {0, 1}, false), (std::vector<PidAndCpu>{{10, -1}, {11, -1}}));
  EXPECT_EQ(pids_and_cpus(event, {}, {0, 1}, false), (std::vector<PidAndCpu>{{-1, 0}, {-1, 1}}));
}

TEST(PidAndCpu, AKindOfCoreHasItsOwnCpus) {
  Event on_atoms;
  on_atoms.cpus = {4, 5};
  EXPECT_EQ(pids_and_cpus(on_atoms, {}, {0, 4}, true), (std::vector<PidAndCpu>{{-1, 4}}));
}

TEST(PidAndCpu, ThreadsOfAProcess) {
  FakeKernel kernel;
  kernel.folders["/proc/7/task"] = {"7", "12", "9"};
  EXPECT_EQ(threads_of(kernel, 7), (std::vector<pid_t>{7, 9, 12}));
  EXPECT_TRUE(threads_of(kernel, 8).empty());
}

TEST(PidAndCpu, WhatHasEndedIsNotAlive) {
  FakeKernel kernel;
  kernel.files["/proc/7/stat"] = "7 (sleep) S 1 7";
  kernel.files["/proc/8/stat"] = "8 (a) S (b) Z 1 8";  // a name may contain text that looks like more fields
  kernel.files["/proc/9/stat"] = "9 (main) Z 1 9";
  kernel.files["/proc/10/stat"] = "10 (worker) R 1 9";
  EXPECT_TRUE(is_thread_alive(kernel, 7));
  EXPECT_FALSE(is_thread_alive(kernel, 8));
  EXPECT_FALSE(is_thread_alive(kernel, 11));
  EXPECT_FALSE(is_process_alive(kernel, 9));
  kernel.folders["/proc/9/task"] = {"10", "9"};  // the first thread has ended, another continues
  EXPECT_TRUE(is_process_alive(kernel, 9));
}

}  // namespace
}  // namespace hm::linux_pmu
