// SPDX-License-Identifier: MIT
#include "base/process_stat.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

namespace hm {
namespace {

TEST(ProcessStat, IsReadBehindTheNameWhateverThatIs) {
  struct Case {
    const char* line;
    char state;
    pid_t parent;
  };
  for (const Case& each : {Case{"7 (sleep) S 1 7 7 0", 'S', 1},
                           {"8 (a) S 5 (b) R 10 10", 'R', 10},
                           {"9 (main) Z", 'Z', 0},
                           {"9 (main) Z ", 'Z', 0},
                           {"9 () X x", 'X', 0}}) {
    std::optional<ProcessStat> stat = parse_process_stat(each.line);
    ASSERT_TRUE(stat.has_value()) << each.line;
    EXPECT_EQ(stat->state, each.state) << each.line;
    EXPECT_EQ(stat->parent, each.parent) << each.line;
  }
  for (const char* line : {"", "30 (cut", "30 (cut)", "30 (cut) "})
    EXPECT_EQ(parse_process_stat(line), std::nullopt) << line;
}

TEST(ProcessStat, HasTheCpuTimeOfBothModes) {
  std::string line = "7 (a b) S 1 7 7 0 -1 4194304 2 3 4 5 250 1000 9 9 20 0 1 0";
  std::optional<ProcessStat> stat = parse_process_stat(line);
  ASSERT_TRUE(stat.has_value());
  EXPECT_EQ(stat->cpu_time.kernel_ns, 4 * stat->cpu_time.user_ns);
  EXPECT_GT(stat->cpu_time.user_ns, 0U);
  EXPECT_EQ(parse_process_stat(line.substr(0, line.find("250")))->cpu_time, CpuTime());
}

TEST(ProcessStat, HasTheCpuTimeOfARunningProcess) {
  rusage before{}, after{};
  ::getrusage(RUSAGE_SELF, &before);
  CpuTime own = cpu_time_of(::getpid());
  ::getrusage(RUSAGE_SELF, &after);
  constexpr uint64_t kTickNs = 10'000'000;  // of /proc, which rounds each part down to whole ticks
  EXPECT_GE(own.sum_ns() + 2 * kTickNs, cpu_time_of(before).sum_ns());
  EXPECT_LE(own.sum_ns(), cpu_time_of(after).sum_ns());
  EXPECT_EQ(cpu_time_of(pid_t{-1}), CpuTime());
}

}  // namespace
}  // namespace hm
