// SPDX-License-Identifier: MIT
#include "symbol/unwind/unwind.h"

#include <dwarf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace hm::symbol {
namespace {

using ::testing::ElementsAre;
using Kind = ValueRule::Kind;
using Places = std::vector<uint64_t>;

constexpr uint64_t kStack = 0x7000;

ValueRule sum_of(uint8_t number, int64_t offset) {
  return {.kind = Kind::kRegister, .number = number, .offset_bytes = offset};
}

// Returns a rule with the CFA at the stack pointer plus `bytes`, the return address just below the CFA, and
// saved registers at offsets from the CFA.
FrameRule frame_of(int64_t bytes, const std::map<uint8_t, int64_t>& saved = {}) {
  FrameRule rule;
  rule.cfa = sum_of(PERF_REG_X86_SP, bytes);
  rule.caller.push_back({PERF_REG_X86_IP, {.kind = Kind::kMemory, .offset_bytes = -8}});
  rule.caller.push_back({PERF_REG_X86_SP, {.kind = Kind::kFrame}});
  for (auto [number, offset] : saved)
    rule.caller.push_back({number, {.kind = Kind::kMemory, .offset_bytes = offset}});
  return rule;
}

class Unwind : public ::testing::Test {
 protected:
  // Each function starts at a multiple of 0x100 and has one rule.
  Places places(uint64_t ip, const std::vector<uint64_t>& stack) {
    registers_.set(PERF_REG_X86_IP, ip);
    registers_.set(PERF_REG_X86_SP, kStack);
    Places places;
    unwind(
        registers_, StackCopy(kStack, std::as_bytes(std::span(stack))),
        [this](uint64_t address) -> const FrameRule* {
          auto found = rules_.find(address & ~uint64_t{0xff});
          return found == rules_.end() ? nullptr : &found->second;
        },
        places);
    return places;
  }

  RegisterValues registers_;
  std::map<uint64_t, FrameRule> rules_;
};

TEST_F(Unwind, FollowsFramePointers) {
  rules_[0x100] = rules_[0x200] = frame_pointer_rule();
  registers_.set(PERF_REG_X86_BP, kStack + 8);
  EXPECT_THAT(places(0x180, {1, kStack + 32, 0x210, 2, 0, 0x333}), ElementsAre(0x180, 0x20f, 0x332));
}

TEST_F(Unwind, FollowsReturnAddressesToTheirCalls) {
  rules_[0x100] = frame_of(8);
  rules_[0x200] = frame_of(24);
  rules_[0x300] = frame_of(8);
  // 0x100 returns to 0x208. That one returns to 0x400: a call at the end of the function at 0x300.
  EXPECT_THAT(places(0x104, {0x208, 1, 2, 0x400, 0}), ElementsAre(0x104, 0x207, 0x3ff));
}

TEST_F(Unwind, TakesSavedRegistersFromTheStack) {
  // 0x200 finds its frame through rbp, which 0x100 has saved.
  rules_[0x100] = frame_of(16, {{PERF_REG_X86_BP, -16}});
  rules_[0x200] = frame_of(0);
  rules_[0x200].cfa = sum_of(PERF_REG_X86_BP, 16);
  rules_[0x300] = frame_of(8);
  EXPECT_THAT(places(0x104, {kStack + 32, 0x210, 5, 5, 5, 0x310, 0}), ElementsAre(0x104, 0x20f, 0x30f));
  // If 0x100 has not saved rbp, its value is unknown.
  rules_[0x100] = frame_of(16);
  EXPECT_THAT(places(0x104, {kStack + 32, 0x210, 5, 5, 5, 0x310, 0}), ElementsAre(0x104, 0x20f));
}

TEST_F(Unwind, FollowsExpressions) {
  auto op = [](uint8_t atom, uint64_t number = 0) { return FrameOperation{.atom = atom, .number = number}; };
  rules_[0x100] = frame_of(0);
  rules_[0x100].cfa = {.kind = Kind::kExpression, .expression = 0};
  rules_[0x100].expressions = {{op(DW_OP_breg7, 8), op(DW_OP_deref)}, {op(DW_OP_breg7)}};
  rules_[0x100].caller[0].value = {.kind = Kind::kMemoryAtExpression, .expression = 1};
  rules_[0x200] = frame_of(8);
  EXPECT_THAT(places(0x104, {0x201, kStack + 24, 0, 0}), ElementsAre(0x104, 0x200));
}

// An interrupted function continues at its instruction pointer, and all its registers are known again.
TEST_F(Unwind, GoesThroughSignals) {
  rules_[0x100] = frame_of(8);
  rules_[0x200] = frame_of(8);
  rules_[0x200].interrupted = true;
  rules_[0x300] = frame_of(16);
  EXPECT_THAT(places(0x104, {0x201, 0x300, 7, 0x400}), ElementsAre(0x104, 0x200, 0x300, 0x3ff));
}

TEST_F(Unwind, EndsWhereNothingTellsTheCaller) {
  rules_[0x100] = frame_of(8);
  EXPECT_THAT(places(0x104, {0x500}), ElementsAre(0x104, 0x4ff)) << "no rule for the caller";
  EXPECT_THAT(places(0x104, {}), ElementsAre(0x104)) << "no memory";
  EXPECT_THAT(places(0x900, {0x108}), ElementsAre(0x900)) << "no rule for the innermost";
  EXPECT_THAT(places(0x104, {0x108, 0, 0x108}), ElementsAre(0x104, 0x107)) << "return address 0";
  rules_[0x100].caller.clear();
  EXPECT_THAT(places(0x104, {0x108}), ElementsAre(0x104)) << "undefined return address: the outermost frame";
}

TEST_F(Unwind, EndsWhereTheStackDoesNotRise) {
  rules_[0x100] = frame_of(16);
  rules_[0x200] = frame_of(8);
  rules_[0x200].caller[1].value.offset_bytes = -8;  // the caller's frame is the same frame
  EXPECT_THAT(places(0x104, {0, 0x204, 0x204, 0x204}), ElementsAre(0x104, 0x203, 0x203));
}

TEST_F(Unwind, IsBounded) {
  rules_[0x100] = frame_of(8);
  EXPECT_EQ(places(0x104, std::vector<uint64_t>(1000, 0x108)).size(), kMaxFrames);
  // Frames of signal handlers need not have rising addresses.
  rules_[0x200] = frame_of(0);
  rules_[0x200].cfa = sum_of(PERF_REG_X86_SP, 8);
  rules_[0x200].caller[1].value.offset_bytes = -8;
  rules_[0x200].interrupted = true;
  EXPECT_EQ(places(0x200, {0x200}).size(), kMaxFrames);
}

TEST_F(Unwind, KnowsNothingWithoutAnInstructionPointer) {
  Places places;
  unwind(
      {}, StackCopy(kStack, {}), [](uint64_t) { return nullptr; }, places);
  EXPECT_TRUE(places.empty());
}

}  // namespace
}  // namespace hm::symbol
