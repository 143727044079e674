// SPDX-License-Identifier: MIT
#include "profile/computed_addresses.h"

#include <gtest/gtest.h>

#include "profile/test_sampled_code.h"

namespace hm::profile {
namespace {

record::EventDescription precise_event() {
  record::EventDescription event = test_event("l1_cache_miss", 1, PERF_SAMPLE_REGS_INTR);
  event.attr.precise_ip = 2;
  event.attr.sample_regs_intr = SampledCodeTest::kRegisterMask;
  return event;
}

class ComputedAddressesTest : public SampledCodeTest {
 protected:
  ComputedAddressesTest() : SampledCodeTest(precise_event()) {
    recording_.features.hardmeter = R"({"pmu": "software"})";
  }
};

TEST_F(ComputedAddressesTest, AreThoseOfTheSoftwarePmuBeforeTheInstruction) {
  sample(0);
  sample(4);
  Profile profile = recording_.load();
  EXPECT_EQ(profile.samples.address.at(0), kDi + 8);
  EXPECT_EQ(profile.samples.access_bytes.at(0), 8u);
  EXPECT_EQ(profile.samples.access_kind.at(0), static_cast<uint64_t>(record::AccessKind::kLoad));
  EXPECT_EQ(profile.samples.address.at(1), kSi);
  ASSERT_EQ(profile.notes.size(), 1u);
  EXPECT_EQ(profile.notes[0],
            "the data addresses of 2 samples are computed from their registers and the code");
}

TEST_F(ComputedAddressesTest, AreThoseOfPebsAfterTheInstruction) {
  recording_.features.hardmeter.reset();
  recording_.features.cpu_id = "GenuineIntel,6,143,8";
  sample(0);
  sample(4);
  Profile profile = recording_.load();
  EXPECT_EQ(profile.samples.address.at(0), kDi + 8);
  EXPECT_EQ(profile.samples.address.at(1).value_or(0), 0u) << "the load overwrote its address register";
}

TEST_F(ComputedAddressesTest, AreNotThoseOfALaterInterrupt) {
  recording_.features.hardmeter.reset();
  recording_.features.cpu_id = "AuthenticAMD,25,17,1";
  sample(0);
  EXPECT_EQ(recording_.load().samples.address.at(0).value_or(0), 0u);
}

TEST(HasPreciseRegisters, OnlyOfPreciseEventsOfTheProcessor) {
  perf_event_attr attr = precise_event().attr;
  EXPECT_TRUE(has_precise_registers(attr));
  attr.precise_ip = 1;
  EXPECT_FALSE(has_precise_registers(attr));
  attr = precise_event().attr;
  attr.type = PERF_TYPE_SOFTWARE;
  EXPECT_FALSE(has_precise_registers(attr));
  attr = precise_event().attr;
  attr.sample_type |= PERF_SAMPLE_ADDR;
  EXPECT_FALSE(has_precise_registers(attr)) << "the PMU records the addresses that it knows";
}

}  // namespace
}  // namespace hm::profile
