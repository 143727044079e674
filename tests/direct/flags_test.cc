// SPDX-License-Identifier: MIT
// Status flags that pass from one block of copied code to the next through a computed jump.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measuring.h"

namespace hm::direct_test {
namespace {

using namespace soft_pmu_test;
using ::testing::HasSubstr;
using ::testing::Not;

// As in Debian's cc1plus, g++'s own compiler proper.
TEST(Flags, PassThroughJumpTables) {
  for (const char* engine : {"direct", "valgrind"}) {
    Outcome outcome =
        hardmeter({"stat", "--pmu=soft", std::string("--engine=") + engine, program("jump_tables")});
    EXPECT_EQ(outcome.status, 0) << engine << ": " << outcome.err;
  }
}

// Calls through a register preserve flags.
TEST(Flags, PassIntoFunctionsThatAreCalledThroughPointers) {
  Outcome outcome = hardmeter({"stat", "--pmu=soft", "--engine=direct", program("function_flags"), "called"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, Not(HasSubstr("status flags")));
}

// A jump through a fixed address in memory, as in a PLT, loses flags once. After that they are preserved.
TEST(Flags, ThatWereNotKeptAreToldOf) {
  TemporaryFolder folder;
  std::string path = folder.file("recording");
  Outcome outcome = hardmeter({"record", "--pmu=soft", "--engine=direct", "-e", "instr_retired", "-c", "1000",
                               "-o", path, program("function_flags"), "jumped", "to"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  std::string report = hardmeter({"report", "-i", path}).out;
  EXPECT_THAT(report, HasSubstr("of its caller 1 time"));
}

}  // namespace
}  // namespace hm::direct_test
