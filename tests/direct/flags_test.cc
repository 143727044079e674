// SPDX-License-Identifier: MIT
// Status flags that pass from one block of copied code to the next through an address that is computed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measuring.h"

namespace hm::direct_test {
namespace {

using namespace soft_pmu_test;
using ::testing::HasSubstr;

// As in cc1plus of Debian, g++'s own compiler proper.
TEST(Flags, PassThroughJumpTables) {
  for (const char* engine : {"direct", "valgrind"}) {
    Outcome outcome =
        hardmeter({"stat", "--pmu=soft", std::string("--engine=") + engine, program("jump_tables")});
    EXPECT_EQ(outcome.status, 0) << engine << ": " << outcome.err;
  }
}

TEST(Flags, ThatAFunctionIsGivenCutTheRunShortAndTheRecordingSaysSo) {
  TemporaryFolder folder;
  std::string path = folder.file("recording");
  Outcome outcome = hardmeter({"record", "--pmu=soft", "--engine=direct", "-e", "instr_retired", "-c", "1000",
                               "-o", path, program("function_flags")});
  EXPECT_EQ(outcome.status, 127);
  EXPECT_THAT(outcome.err, HasSubstr("--engine=valgrind can run it"));
  Outcome checked = hardmeter({"check", "-i", path});
  EXPECT_EQ(checked.status, 1);
  EXPECT_THAT(checked.out, HasSubstr("processes cut short"));
  std::string report = hardmeter({"report", "-i", path}).out;
  EXPECT_THAT(report, HasSubstr("1 process was cut short"));
  EXPECT_THAT(report, HasSubstr("2,000 samples, 2,000,00")) << "events counted until then";
}

}  // namespace
}  // namespace hm::direct_test
