// SPDX-License-Identifier: MIT
#include "symbol/code/control_flow.h"

#include <asm/perf_regs.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace hm::symbol {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr uint64_t kCodeStart = 0x1000;
constexpr uint64_t kZeroFlag = 1 << 6;

ControlFlow flow(const std::vector<uint8_t>& code, const std::vector<uint64_t>& pointers = {}) {
  return {std::as_bytes(std::span(code)), kCodeStart, pointers};
}

std::vector<std::pair<Way::Kind, uint64_t>> ways(const ControlFlow& flow, uint64_t address) {
  std::vector<std::pair<Way::Kind, uint64_t>> all;
  for (const Way& way : flow.ways_to(address)) all.emplace_back(way.kind, way.from);
  return all;
}

auto through(uint64_t from) { return std::pair(Way::Kind::kThrough, from); }
auto jump(uint64_t from) { return std::pair(Way::Kind::kJump, from); }

// 1000 mov (%rdi),%rdi; 1003 dec %rsi; 1006 jne 1000; 1008 ret
const std::vector<uint8_t> kLoop{0x48, 0x8b, 0x3f, 0x48, 0xff, 0xce, 0x75, 0xf8, 0xc3};

TEST(ControlFlow, FallsThroughAndJumps) {
  ControlFlow loop = flow(kLoop);
  EXPECT_THAT(ways(loop, 0x1003), ElementsAre(through(0x1000)));
  EXPECT_THAT(ways(loop, 0x1008), ElementsAre(through(0x1006)));
  EXPECT_THAT(ways(loop, 0x1000), UnorderedElementsAre(std::pair(Way::Kind::kEntry, 0), jump(0x1006)));
}

TEST(ControlFlow, InsideAnInstructionNothingArrives) {
  ControlFlow loop = flow(kLoop);
  EXPECT_FALSE(loop.reaches(0x1004));
  EXPECT_FALSE(loop.reaches(0x1009));
  EXPECT_FALSE(loop.reaches(0xfff));
  EXPECT_THAT(ways(loop, 0x1004), IsEmpty());
}

TEST(ControlFlow, EndsWhereNoInstructionBegins) {
  ControlFlow broken = flow({0x90, 0x06, 0x90});
  EXPECT_TRUE(broken.reaches(0x1000));
  EXPECT_FALSE(broken.reaches(0x1002));
}

TEST(ControlFlow, FlagsDecideAboutConditionalJumps) {
  ControlFlow loop = flow(kLoop);
  Way fell_through = loop.ways_to(0x1008).at(0);
  Way jumped = loop.ways_to(0x1000).at(1);
  RegisterValues zero;
  zero.set(PERF_REG_X86_FLAGS, kZeroFlag);
  RegisterValues not_zero;
  not_zero.set(PERF_REG_X86_FLAGS, 0);
  EXPECT_TRUE(possible(fell_through, zero, 0));
  EXPECT_FALSE(possible(fell_through, not_zero, 0));
  EXPECT_FALSE(possible(jumped, zero, 0));
  EXPECT_TRUE(possible(jumped, not_zero, 0));
  EXPECT_TRUE(possible(jumped, RegisterValues(), 0));
}

TEST(ControlFlow, NothingFallsThroughReturnsAndCallsComeBack) {
  // 1000 call 1006; 1005 ret; 1006 ud2; 1008 jmp 1006; 100a nop
  ControlFlow code = flow({0xe8, 1, 0, 0, 0, 0xc3, 0x0f, 0x0b, 0xeb, 0xfc, 0x90});
  EXPECT_THAT(ways(code, 0x1005), ElementsAre(std::pair(Way::Kind::kReturn, 0x1000)));
  EXPECT_THAT(ways(code, 0x1006), ElementsAre(jump(0x1008)));
  EXPECT_THAT(ways(code, 0x1008), IsEmpty());
  EXPECT_THAT(ways(code, 0x100a), IsEmpty());
}

TEST(ControlFlow, RegisterJumpLeavesItsTargetInTheRegister) {
  // 1000 jmp *%rax; 1002 nop; 1003 nop
  ControlFlow code = flow({0xff, 0xe0, 0x90, 0x90});
  std::vector<Way> all = code.ways_to(0x1003);
  ASSERT_EQ(all.size(), 2u);
  RegisterValues registers;
  registers.set(PERF_REG_X86_AX, 0x7f001003);
  EXPECT_TRUE(possible(all[1], registers, 0x7f001003));
  EXPECT_FALSE(possible(all[1], registers, 0x7f001004));
}

TEST(ControlFlow, MemoryJumpLeadsWhereSomethingPoints) {
  // 1000 lea 3(%rip),%rax (100a); 1007 jmp *(%rax); 1009 nop; 100a nop; 100b nop
  ControlFlow code = flow({0x48, 0x8d, 0x05, 3, 0, 0, 0, 0xff, 0x20, 0x90, 0x90, 0x90}, {0x100b});
  EXPECT_THAT(ways(code, 0x1009), IsEmpty());
  EXPECT_THAT(ways(code, 0x100a), UnorderedElementsAre(through(0x1009), jump(0x1007)));
  EXPECT_THAT(ways(code, 0x100b), UnorderedElementsAre(through(0x100a), jump(0x1007)));
}

TEST(ControlFlow, RepeatedInstructionIsItsOwnPredecessor) {
  ControlFlow code = flow({0x90, 0xf3, 0xa4, 0x90});  // nop; rep movsb; nop
  EXPECT_THAT(ways(code, 0x1001),
              UnorderedElementsAre(through(0x1000), std::pair(Way::Kind::kItself, 0x1001)));
  EXPECT_THAT(ways(code, 0x1003), ElementsAre(through(0x1001)));
}

TEST(ControlFlow, OthersJumpIn) {
  ControlFlow code = flow({0x90, 0x90});
  code.add_jump(0x1001, {Way::Kind::kJump, 0x2000, 5});
  EXPECT_THAT(ways(code, 0x1001), UnorderedElementsAre(through(0x1000), jump(0x2000)));
}

TEST(ConditionHolds, AllSixteen) {
  constexpr uint64_t kCarry = 1 << 0;
  constexpr uint64_t kParity = 1 << 2;
  constexpr uint64_t kSign = 1 << 7;
  constexpr uint64_t kOverflow = 1 << 11;
  // Intel SDM, volume 2, B.1.4.7: the flags that make each even condition true; each odd condition is the
  // opposite.
  const std::vector<std::vector<uint64_t>> holds = {
      {kOverflow}, {kCarry},  {kZeroFlag},        {kCarry, kZeroFlag},
      {kSign},     {kParity}, {kSign, kOverflow}, {kZeroFlag, kSign, kOverflow}};
  for (uint8_t pair = 0; pair < 8; ++pair) {
    for (uint64_t flags : {uint64_t{0}, kOverflow, kCarry, kZeroFlag, kSign, kParity}) {
      bool expected = std::ranges::count(holds[pair], flags) != 0;
      EXPECT_EQ(condition_holds(static_cast<uint8_t>(2 * pair), flags), expected) << pair << ' ' << flags;
      EXPECT_NE(condition_holds(static_cast<uint8_t>(2 * pair + 1), flags), expected) << pair << ' ' << flags;
    }
  }
  EXPECT_FALSE(condition_holds(0xc, kSign | kOverflow));
  EXPECT_TRUE(condition_holds(0xe, kSign | kOverflow | kZeroFlag));
}

}  // namespace
}  // namespace hm::symbol
