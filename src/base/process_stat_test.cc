// SPDX-License-Identifier: MIT
#include "base/process_stat.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace hm
