// SPDX-License-Identifier: MIT
// Status flags pass through jump tables: g++'s own compiler proper, cc1plus, is compiled so.
#include <gtest/gtest.h>

#include "running.h"

namespace hm::direct_test {
namespace {

using namespace soft_pmu_test;

TEST(JumpTables, PassStatusFlags) {
  for (const char* engine : {"direct", "valgrind"}) {
    Outcome outcome =
        hardmeter({"stat", "--pmu=soft", std::string("--engine=") + engine, program("jump_tables")});
    EXPECT_EQ(outcome.status, 0) << engine << ": " << outcome.err;
  }
}

}  // namespace
}  // namespace hm::direct_test
