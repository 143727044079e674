// SPDX-License-Identifier: MIT
#include "profile/clock_attribution.h"

#include <gtest/gtest.h>

#include "profile/test_sampled_code.h"

// The code of test_sampled_code.h. The comments are the offsets of the instructions.
__asm__(
    ".text\n.type hm_sampled_code, @function\nhm_sampled_code:\n"
    "  mov 8(%rdi), %rax\n"  // 0
    "  mov (%rsi), %rsi\n"   // 4
    "  ret\n"                // 7
    ".size hm_sampled_code, . - hm_sampled_code\n");

namespace hm::profile {
namespace {

using symbol::Undetermined;

record::EventDescription clock_event() {
  record::EventDescription event = test_event("clock", 1, PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_CALLCHAIN);
  event.attr.type = PERF_TYPE_SOFTWARE;
  event.attr.config = PERF_COUNT_SW_CPU_CLOCK;
  event.attr.sample_regs_intr = SampledCodeTest::kRegisterMask;
  return event;
}

class ClockAttributionTest : public SampledCodeTest {
 protected:
  ClockAttributionTest() : SampledCodeTest(clock_event()) {}

  [[nodiscard]] uint64_t offset_of(const Profile& profile, size_t row) const {
    return profile.locations[profile.samples.location[row]].offset - code_;
  }

  static uint64_t stayed(const ClockAttribution& clock, Undetermined reason) {
    return clock.stayed[static_cast<size_t>(reason)];
  }
};

TEST_F(ClockAttributionTest, MovesToTheInstructionBefore) {
  sample(4);
  sample(7);
  Profile profile = recording_.load();
  EXPECT_EQ(offset_of(profile, 0), 0u);
  EXPECT_EQ(profile.samples.address.at(0), kDi + 8);
  EXPECT_EQ(profile.samples.access_bytes.at(0), 8u);
  EXPECT_EQ(offset_of(profile, 1), 4u);
  EXPECT_EQ(profile.samples.address.at(1), std::nullopt);  // the load overwrote its address register
  ASSERT_TRUE(profile.events[0].clock.has_value());
  EXPECT_EQ(*profile.events[0].clock, (ClockAttribution{2, 2, 2, 1, {}}));
}

TEST_F(ClockAttributionTest, SaysWhyASampleStays) {
  sample(0);
  sample(2);  // not at an instruction boundary
  recording_.sample(10, 7, 0xffffffff81000000, {}, 0, PERF_RECORD_MISC_KERNEL);
  recording_.sample(11, 7, 0x400000);
  Profile profile = recording_.load();
  const ClockAttribution& clock = *profile.events[0].clock;
  EXPECT_EQ(clock.samples, 4u);
  EXPECT_EQ(clock.attributed, 0u);
  EXPECT_EQ(stayed(clock, Undetermined::kEntry), 1u);
  EXPECT_EQ(stayed(clock, Undetermined::kNotDecoded), 1u);
  EXPECT_EQ(stayed(clock, Undetermined::kKernel), 1u);
  EXPECT_EQ(stayed(clock, Undetermined::kNoCode), 1u);
  EXPECT_EQ(offset_of(profile, 0), 0u);
  EXPECT_EQ(offset_of(profile, 1), 2u);
}

TEST_F(ClockAttributionTest, LeavesOtherArchitecturesAlone) {
  recording_.features.arch = "aarch64";
  sample(4);
  Profile profile = recording_.load();
  EXPECT_EQ(offset_of(profile, 0), 4u);
  EXPECT_FALSE(profile.events[0].clock.has_value());
}

TEST(IsAttributableClock, OnlyTheSoftwareClockWithRegisters) {
  perf_event_attr attr = clock_event().attr;
  EXPECT_TRUE(is_attributable_clock(attr));
  attr.config = PERF_COUNT_SW_TASK_CLOCK;
  EXPECT_TRUE(is_attributable_clock(attr));
  attr.config = PERF_COUNT_SW_PAGE_FAULTS;
  EXPECT_FALSE(is_attributable_clock(attr));
  attr = clock_event().attr;
  attr.sample_type &= ~uint64_t{PERF_SAMPLE_REGS_INTR};
  EXPECT_FALSE(is_attributable_clock(attr));
  attr = clock_event().attr;
  attr.type = PERF_TYPE_HARDWARE;
  EXPECT_FALSE(is_attributable_clock(attr));
}

}  // namespace
}  // namespace hm::profile
