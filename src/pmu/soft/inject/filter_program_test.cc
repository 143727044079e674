// SPDX-License-Identifier: MIT
#include "pmu/soft/inject/filter_program.h"

#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

#include <cstddef>
#include <random>
#include <vector>

namespace hm::soft {
namespace {

using Program = std::vector<sock_filter>;

constexpr uint32_t kNumber = offsetof(seccomp_data, nr), kProcessor = offsetof(seccomp_data, arch);
constexpr uint32_t kFirstArgument = offsetof(seccomp_data, args), kPlace = 8;

sock_filter load(uint32_t offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset); }
sock_filter unless(uint32_t value, uint8_t skipped) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped);
}
sock_filter answer(uint32_t action) { return BPF_STMT(BPF_RET | BPF_K, action); }

constexpr uint32_t kAllow = SECCOMP_RET_ALLOW, kError = SECCOMP_RET_ERRNO | 1;

TEST(FilterProgram, AListPermitsWhatItNames) {
  const Program list{
      load(kProcessor), unless(AUDIT_ARCH_X86_64, 5), load(kNumber),           unless(SYS_read, 1),
      answer(kAllow),   unless(SYS_write, 1),         answer(SECCOMP_RET_LOG), answer(kError)};
  EXPECT_TRUE(allows(list, SYS_read));
  EXPECT_TRUE(allows(list, SYS_write));
  EXPECT_FALSE(allows(list, SYS_mmap));
  EXPECT_TRUE(only_refuses(list));
}

// A call that is permitted with some arguments, or from some place, is not permitted always.
TEST(FilterProgram, ConditionsOnUnknownValuesHaveTwoPaths) {
  for (uint32_t offset : {kFirstArgument, kFirstArgument + 4, kPlace}) {
    EXPECT_FALSE(allows(Program{load(offset), unless(0, 1), answer(kAllow), answer(kError)}, SYS_read))
        << offset;
    EXPECT_TRUE(
        allows(Program{load(offset), unless(0, 1), answer(kAllow), answer(SECCOMP_RET_LOG)}, SYS_read));
  }
}

TEST(FilterProgram, ComputesWithNumbers) {
  const Program masked{load(kNumber),
                       BPF_STMT(BPF_MISC | BPF_TAX, 0),
                       BPF_STMT(BPF_LD | BPF_IMM, 3),
                       BPF_STMT(BPF_ALU | BPF_AND | BPF_X, 0),  // number & 3
                       BPF_STMT(BPF_ST, 2),
                       BPF_STMT(BPF_LDX | BPF_MEM, 2),
                       BPF_STMT(BPF_MISC | BPF_TXA, 0),
                       BPF_STMT(BPF_ALU | BPF_LSH | BPF_K, 4),
                       BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x20, 0, 1),
                       answer(kAllow),
                       answer(kError)};
  for (uint32_t call = 0; call < 8; ++call) EXPECT_EQ(allows(masked, call), (call & 3) >= 2) << call;
}

TEST(FilterProgram, OnlyAnswersOfTheKernelItselfAreHarmless) {
  for (uint32_t action : {SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_KILL_THREAD, kError, kAllow})
    EXPECT_TRUE(only_refuses(Program{answer(action)})) << action;
  for (uint32_t action : {SECCOMP_RET_TRAP, SECCOMP_RET_TRACE, SECCOMP_RET_USER_NOTIF})
    EXPECT_FALSE(only_refuses(Program{answer(action)})) << action;
  EXPECT_FALSE(only_refuses(Program{load(kFirstArgument), BPF_STMT(BPF_RET | BPF_A, 0)}));
}

TEST(FilterProgram, DamagedProgramsPermitNothing) {
  EXPECT_FALSE(allows(Program{}, SYS_read));
  EXPECT_FALSE(allows(Program{load(kNumber)}, SYS_read));
  EXPECT_FALSE(allows(Program{BPF_STMT(BPF_JMP | BPF_JA, 100), answer(kAllow)}, SYS_read));
  EXPECT_FALSE(allows(Program{BPF_STMT(BPF_ST, 99), answer(kAllow)}, SYS_read));
  std::mt19937 random(1);
  for (int i = 0; i < 100000; ++i) {
    Program any(1 + random() % 12);
    for (sock_filter& each : any)
      each = {static_cast<uint16_t>(random() % 256), static_cast<uint8_t>(random() % 4),
              static_cast<uint8_t>(random() % 4), static_cast<uint32_t>(random())};
    (void)allows(any, SYS_read);
    (void)only_refuses(any);
  }
}

// Each condition doubles the number of paths.
TEST(FilterProgram, EndsForFiltersWithManyPaths) {
  Program many;
  for (int i = 0; i < 2000; ++i) {
    many.push_back(load(kFirstArgument));
    many.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 0));
  }
  many.push_back(answer(kAllow));
  EXPECT_FALSE(allows(many, SYS_read));
}

}  // namespace
}  // namespace hm::soft
