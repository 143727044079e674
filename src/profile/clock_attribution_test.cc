// SPDX-License-Identifier: MIT
#include "profile/clock_attribution.h"

#include <asm/perf_regs.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "profile/test_recording.h"
#include "symbol/files/dso.h"

// The code that the test recordings sample. The comments are the offsets of the instructions.
__asm__(
    ".text\n.type hm_sampled_code, @function\nhm_sampled_code:\n"
    "  mov 8(%rdi), %rax\n"  // 0
    "  mov (%rsi), %rsi\n"   // 4
    "  ret\n"                // 7
    ".size hm_sampled_code, . - hm_sampled_code\n");

namespace hm::profile {
namespace {

constexpr uint64_t kLoaded = 0x10000000;
constexpr uint64_t kRegisterMask = 0xff03ff;
constexpr size_t kRegisterCount = 18;
constexpr uint64_t kDi = 0x5000;

using symbol::Untold;

record::EventDescription clock_event() {
  record::EventDescription event = test_event("clock", 1, PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_CALLCHAIN);
  event.attr.type = PERF_TYPE_SOFTWARE;
  event.attr.config = PERF_COUNT_SW_CPU_CLOCK;
  event.attr.sample_regs_intr = kRegisterMask;
  return event;
}

class ClockAttributionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = std::filesystem::read_symlink("/proc/self/exe").string();
    symbol::Dso dso(path_, "");
    std::optional<symbol::Symbol> symbol = dso.symbols().find_name("hm_sampled_code");
    ASSERT_TRUE(symbol.has_value());
    code_ = dso.elf()->offset_of_address(symbol->start).value_or(0);
    ASSERT_EQ(dso.address_of(code_), symbol->start);
    recording_.map(1, 7, kLoaded, code_ + 0x1000, path_);
  }

  // Adds a sample at `offset` in the sampled code, with %rdi and the instruction pointer among the registers.
  void sample(uint64_t offset, size_t event = 0) {
    uint64_t ip = kLoaded + code_ + offset;
    std::array<uint64_t, kRegisterCount> values{};
    values[PERF_REG_X86_DI] = kDi;
    values[PERF_REG_X86_IP] = ip;
    record::Sample sample;
    sample.intr_regs = {PERF_SAMPLE_REGS_ABI_64, kRegisterMask, record::U64View(values)};
    recording_.sample(++time_ns_, 7, ip, sample, event);
  }

  [[nodiscard]] uint64_t offset_of(const Profile& profile, size_t row) const {
    return profile.locations[profile.samples.location[row]].offset - code_;
  }

  static uint64_t stayed(const ClockAttribution& clock, Untold reason) {
    return clock.stayed[static_cast<size_t>(reason)];
  }

  TestRecording recording_{{clock_event()}};
  std::string path_;
  uint64_t code_ = 0;  // offset in the file
  uint64_t time_ns_ = 1;
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
  EXPECT_EQ(stayed(clock, Untold::kEntry), 1u);
  EXPECT_EQ(stayed(clock, Untold::kNotDecoded), 1u);
  EXPECT_EQ(stayed(clock, Untold::kKernel), 1u);
  EXPECT_EQ(stayed(clock, Untold::kNoCode), 1u);
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
