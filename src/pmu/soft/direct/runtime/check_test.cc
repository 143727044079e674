// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/runtime/check.h"

#include <gtest/gtest.h>

#include <string>

namespace hm::soft::direct {
namespace {

constexpr int kStatusOfCheck = 127;

class Check : public ::testing::Test {
 protected:
  ~Check() override { runtime().is_checking = false; }

  Lock lock_;
};

TEST_F(Check, ThatFailsEndsTheProcessWithASentence) {
  runtime().is_checking = true;
  check(true, "one is one");
  EXPECT_EXIT(
      check(false, "one is two"), ::testing::ExitedWithCode(kStatusOfCheck),
      "hardmeter: a check of the copying engine failed: one is two \\(process [1-9][0-9]*, at 0x[1-9a-f][0-9a-f]*\\); ");
}

TEST_F(Check, DoesNothingUnlessChecksAreOn) {
  check(false, "one is two");
  check_no_lock("a thread holds no lock here");
}

TEST_F(Check, NoticesAHeldLock) {
  lock_.check_order(1);
  lock_.lock();
  check_no_lock("a thread holds no lock here");  // checks are off
  runtime().is_checking = true;
  EXPECT_EXIT(check_no_lock("a thread holds no lock here"), ::testing::ExitedWithCode(kStatusOfCheck),
              "failed: a thread holds no lock here");
  lock_.unlock();
  check_no_lock("a thread holds no lock here");
}

TEST_F(Check, CutsOffAnEndlessSentence) {
  const std::string endless(2000, 'x');
  EXPECT_EXIT(fail_check(endless.c_str(), nullptr), ::testing::ExitedWithCode(kStatusOfCheck), "xxxx");
}

}  // namespace
}  // namespace hm::soft::direct
