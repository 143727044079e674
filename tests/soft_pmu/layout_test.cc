// SPDX-License-Identifier: MIT
// A program's memory is at the addresses of a native run (programs/addresses.c). Which lines and pages share
// a set depends on them: two layouts differ by a quarter of a program's TLB misses.
#include <gtest/gtest.h>

#include "measuring.h"
#include "plain_environment.h"

namespace hm::soft_pmu_test {
namespace {

class Layout : public WithPlainEnvironment {
 protected:
  void SetUp() override {
    if (engine() != "direct") GTEST_SKIP() << "Valgrind places a program's memory itself; not tested with it";
    native_ = run({program("addresses")}).out;
    ASSERT_NE(native_, "");
    if (native_ != run({program("addresses")}).out) GTEST_SKIP() << "addresses are random here; not tested";
  }
  static std::string under_hardmeter(const Words& options) {
    return hardmeter(Words{"stat"} + soft_pmu() + options + Words{"--", program("addresses")}).out;
  }
  std::string native_;
};

TEST_F(Layout, IsThatOfANativeRun) { EXPECT_EQ(under_hardmeter({}), native_); }

TEST_F(Layout, IsThatOfANativeRunInBursts) {
  EXPECT_EQ(under_hardmeter({"--detail=bursts", "--burst-slots=2000", "--gap-slots=20000"}), native_);
}

TEST_F(Layout, IsThatOfANativeRunWhenOnlyInstructionsAreCounted) {
  EXPECT_EQ(under_hardmeter({"-e", "instr_retired"}), native_);
}

}  // namespace
}  // namespace hm::soft_pmu_test
