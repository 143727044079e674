// SPDX-License-Identifier: MIT
// Impossible groups, and their messages.
#include <gmock/gmock.h>

#include "pqos/fixture.h"

namespace hm::pqos_test {
namespace {

using testing::HasSubstr;

class Refusal : public PqosTest {
 protected:
  static rdt::Members cpus(std::vector<uint32_t> numbers) {
    return {.threads = {}, .cpus = std::move(numbers)};
  }
};

TEST_F(Refusal, OfThreads) {
  auto provider = opened();
  ASSERT_TRUE(provider);
  EXPECT_THAT(error_of_watching(*provider, {.threads = {1}, .cpus = {}}, ErrorCode::kUnsupported),
              HasSubstr("logical CPUs, not threads"));
  auto group = watched(*provider, {0});
  ASSERT_TRUE(group);
  Status added = group->add(1);
  ASSERT_FALSE(added.ok());
  EXPECT_EQ(added.error().code, ErrorCode::kUnsupported);
}

TEST_F(Refusal, OfNoCpuAndOfOneThatIsNotThere) {
  auto provider = opened();
  ASSERT_TRUE(provider);
  EXPECT_THAT(error_of_watching(*provider, {}, ErrorCode::kInvalidArgument), HasSubstr("no CPU"));
  EXPECT_THAT(error_of_watching(*provider, cpus({0, 99}), ErrorCode::kNotFound), HasSubstr("CPU 99"));
  EXPECT_EQ(registers().association(0), 0U);
}

TEST_F(Refusal, OfACpuThatIsMonitoredAlready) {
  registers().set_association(1, 5);
  auto provider = opened();
  ASSERT_TRUE(provider);
  EXPECT_THAT(error_of_watching(*provider, cpus({0, 1}), ErrorCode::kUnsupported),
              HasSubstr("CPU 1 is already monitored (by ID 5)"));
  EXPECT_EQ(registers().association(0), 0U);
  EXPECT_EQ(registers().association(1), 5U);
}

TEST_F(Refusal, LeavesNoPartOfAGroup) {
  registers().set_association(2, 5);
  auto provider = opened();
  ASSERT_TRUE(provider);
  error_of_watching(*provider, cpus({0, 2}), ErrorCode::kUnsupported);
  EXPECT_EQ(registers().association(0), 0U);
}

TEST_F(Refusal, WhereIdsRunOut) {
  set_emulated_cpu({.ids = 2});
  auto provider = opened();
  ASSERT_TRUE(provider);
  EXPECT_EQ(provider->capabilities().groups, 1U);
  auto first = watched(*provider, {0});
  ASSERT_TRUE(first);
  EXPECT_THAT(error_of_watching(*provider, cpus({1}), ErrorCode::kUnsupported),
              HasSubstr("all 1 monitoring IDs"));
  EXPECT_EQ(registers().association(1), 0U);
  EXPECT_TRUE(watched(*provider, {2}));  // the other cache has separate ids
  first.reset();
  EXPECT_TRUE(watched(*provider, {1}));
}

TEST_F(Refusal, WhileOthersLinesHaveTheId) {
  auto provider = opened();
  ASSERT_TRUE(provider);
  auto group = watched(*provider, {0});
  ASSERT_TRUE(group);
  registers().set_counter(0, 1, kOccupancy, 200);
  group.reset();
  EXPECT_THAT(error_of_watching(*provider, cpus({1}), ErrorCode::kIo),
              HasSubstr("of CPUs that were monitored before"));
  EXPECT_EQ(registers().association(1), 0U);
  EXPECT_TRUE(watched(*provider, {0}));  // the group's own CPUs
  registers().set_counter(0, 1, kOccupancy, 3);
  EXPECT_TRUE(watched(*provider, {1}));
}

TEST_F(Refusal, WhereRegistersCannotBeWritten) {
  auto provider = opened();
  ASSERT_TRUE(provider);
  registers().set_fault(EmulatedRegisters::Fault::kWriteRefused);
  EXPECT_THAT(error_of_watching(*provider, cpus({0}), ErrorCode::kPermission), HasSubstr("allow_writes"));
}

TEST_F(Refusal, OfACpuThatWentOffline) {
  auto provider = opened();
  ASSERT_TRUE(provider);
  registers().set_offline(1);
  EXPECT_THAT(error_of_watching(*provider, cpus({1}), ErrorCode::kIo), HasSubstr("of CPU 1"));
}

}  // namespace
}  // namespace hm::pqos_test
