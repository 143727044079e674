// SPDX-License-Identifier: MIT
// For tests: recordings of a function of this program, hm_sampled_code in clock_attribution_test.cc:
//   0: mov 8(%rdi), %rax    4: mov (%rsi), %rsi    7: ret
#pragma once

#include <asm/perf_regs.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <string>

#include "profile/test_recording.h"
#include "symbol/files/dso.h"

namespace hm::profile {

class SampledCodeTest : public ::testing::Test {
 public:
  static constexpr uint64_t kRegisterMask = 0xff03ff;  // of perf_event_attr::sample_regs_intr

 protected:
  static constexpr uint64_t kDi = 0x5000, kSi = 0x6000;

  explicit SampledCodeTest(record::EventDescription event) : recording_({std::move(event)}) {}

  void SetUp() override {
    path_ = std::filesystem::read_symlink("/proc/self/exe").string();
    symbol::Dso dso(path_, "");
    std::optional<symbol::Symbol> symbol = dso.symbols().find_name("hm_sampled_code");
    ASSERT_TRUE(symbol.has_value());
    code_ = dso.elf()->offset_of_address(symbol->start).value_or(0);
    ASSERT_EQ(dso.address_of(code_), symbol->start);
    recording_.map(1, 7, kLoaded, code_ + 0x1000, path_);
  }

  // Adds a sample at `offset` in the sampled code, with %rdi, %rsi and the instruction pointer in registers.
  void sample(uint64_t offset) {
    constexpr size_t kRegisterCount = 18;
    uint64_t ip = kLoaded + code_ + offset;
    std::array<uint64_t, kRegisterCount> values{};
    values[PERF_REG_X86_DI] = kDi;
    values[PERF_REG_X86_SI] = kSi;
    values[PERF_REG_X86_IP] = ip;
    record::Sample sample;
    sample.intr_regs = {PERF_SAMPLE_REGS_ABI_64, kRegisterMask, record::U64View(values)};
    recording_.sample(++time_ns_, 7, ip, sample);
  }

  TestRecording recording_;
  uint64_t code_ = 0;  // offset in the file

 private:
  static constexpr uint64_t kLoaded = 0x10000000;

  std::string path_;
  uint64_t time_ns_ = 1;
};

}  // namespace hm::profile
