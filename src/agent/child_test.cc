// SPDX-License-Identifier: MIT
#include "agent/child.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace hm::agent {
namespace {

const auto kNeverStops = [] { return false; };

Status sleeps_long() {
  ::sleep(1000);
  return {};
}

TEST(Child, TellsHowItsWorkWent) {
  EXPECT_TRUE(in_own_process([] { return Status(); }, kNeverStops));
  Status failed = in_own_process(
      []() -> Status { return make_error(ErrorCode::kDamaged, "{}", std::string(100'000, 'x')); },
      kNeverStops);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, std::string(100'000, 'x'));
}

TEST(Child, IsKilledWhereItHasToStop) {
  Status stopped = in_own_process(sleeps_long, [] { return true; });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().message, "its measuring process was killed");
}

TEST(Child, EndsWithItsOwner) {
  Result<Child> child = Child::start(sleeps_long);
  ASSERT_TRUE(child);
  EXPECT_FALSE(child->ends_within(std::chrono::milliseconds(1)));
}  // the destructor waits for the child

}  // namespace
}  // namespace hm::agent
