// SPDX-License-Identifier: MIT
// Tests the targets of copies' exits: other copies, or the dispatcher.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <utility>
#include <vector>

#include "pmu/soft/direct/core/indirect_targets.h"
#include "pmu/soft/direct/translate/harness/harness.h"
#include "pmu/soft/direct/translate/translator.h"

namespace hm::soft::direct {
namespace {

class Exits : public Translation {
 protected:
  Exits() : from_(random_state(3)) {}
  uint64_t put_bytes(std::initializer_list<uint8_t> code) { return put(std::vector<uint8_t>(code)); }
  uint64_t put_end() { return put_ending(std::vector<uint8_t>{0x90}); }
  // Puts a jump to `target`, or another instruction with the displacement of `target` in its last four bytes.
  uint64_t put_to(std::initializer_list<uint8_t> opcode, uint64_t target) {
    std::vector<uint8_t> code(opcode);
    for (unsigned i = 0; i < 4; ++i) code.push_back(0);
    uint64_t at = put(code);
    auto displacement = static_cast<int32_t>(target - (at + code.size()));
    std::memcpy(reinterpret_cast<void*>(at + opcode.size()), &displacement, sizeof(displacement));
    return at;
  }
  uint64_t pushed(const Left& left) {
    uint64_t word = 0;
    std::memcpy(&word, left.data.data() + (left.state.registers[kSp] - data()), sizeof(word));
    return word;
  }

  State from_;
};

TEST_F(Exits, AConditionalJumpLeadsToEitherSide) {
  uint64_t end = put_end();
  uint64_t source = put_to({0x48, 0x39, 0xc8, 0x0f, 0x84}, end);  // cmp rax, rcx; je end
  const Block& block = copy(source);
  from_.registers[kAx] = from_.registers[kCx] = 1;
  Left taken = run_copy(block, from_);
  ASSERT_GE(taken.exit, kFirstExit);
  EXPECT_EQ(taken.target, end);
  from_.registers[kCx] = 2;
  // Behind the jump are zeros, which decode as add [rax], al.
  from_.registers[kAx] = data();
  Left not_taken = run_copy(block, from_);
  EXPECT_NE(not_taken.target, end);
}

TEST_F(Exits, AConditionalJumpKeepsTheFlagsThatItsTargetReads) {
  uint64_t reader = put_ending(std::vector<uint8_t>{0x0f, 0x92, 0xc0});  // setb al
  // mov rdx, [rsi]; cmp rax, rcx; jbe reader
  const Block& block = copy(put_to({0x48, 0x8b, 0x16, 0x48, 0x39, 0xc8, 0x0f, 0x86}, reader));
  from_.registers[kAx] = 1;
  from_.registers[kCx] = 2;
  Left left = run_copy(block, from_);
  EXPECT_EQ(left.target, reader);
  EXPECT_EQ(left.state.flags & (kCarryFlag | kZeroFlag | kSignFlag), kCarryFlag | kSignFlag);
  EXPECT_EQ(left.loads, 1u);
}

TEST_F(Exits, ACallPushesTheProgramsOwnReturnAddress) {
  uint64_t end = put_end();
  uint64_t source = put_to({0xe8}, end);
  Left left = run_copy(copy(source), from_);
  ASSERT_GE(left.exit, kFirstExit);
  EXPECT_EQ(left.target, end);
  EXPECT_EQ(left.state.registers[kSp], from_.registers[kSp] - 8);
  EXPECT_EQ(pushed(left), source + 5);
  EXPECT_EQ(left.stores, 1u);
}

TEST_F(Exits, AnIndirectCallLeadsWhereTheRegisterSays) {
  for (uint8_t reg : {uint8_t{kAx}, uint8_t{kR10}, uint8_t{kR15}}) {
    uint64_t source = put_bytes(
        {static_cast<uint8_t>(reg >= 8 ? 0x41 : 0x40), 0xff, static_cast<uint8_t>(0xd0 | (reg & 7))});
    from_.registers[reg] = 0x123456789abc;
    Left left = run_copy(copy(source), from_);
    EXPECT_EQ(left.exit, kExitIndirectWithFlags);  // a function in assembly may read the flags
    EXPECT_EQ(left.target, 0x123456789abcu);
    EXPECT_EQ(pushed(left), source + 3);
  }
}

TEST_F(Exits, ABlockIsLeftBeforeASampleMayBeDue) {
  plan_.samples_ahead = true;
  uint64_t source =
      put_ending(std::vector<uint8_t>{0x48, 0x8b, 0x16, 0x48, 0x8b, 0x16});  // mov rdx, [rsi], twice
  const Block& block = copy(source);
  core_->sample_tick = kFirstTick + 1000;
  Left far = run_copy(block, from_);
  EXPECT_NE(far.exit, kExitSample);
  EXPECT_EQ(far.loads, 2u);
  core_->sample_tick = kFirstTick;
  Left near = run_copy(block, from_);
  EXPECT_EQ(near.exit, kExitSample);
  EXPECT_EQ(near.target, source);
  EXPECT_EQ(near.loads, 0u);
  EXPECT_EQ(near.ticks, 0u);
  EXPECT_GE(core_->slots_ahead, far.ticks / 2);
  EXPECT_EQ(near.state.flags & kStatusFlags, from_.flags & kStatusFlags);
}

// What precedes the instruction has run and is counted.
TEST_F(Exits, ARepeatedStringIsLeftBeforeASampleMayBeDue) {
  plan_.samples_ahead = true;
  uint64_t source =
      put_ending(std::vector<uint8_t>{0x48, 0x8b, 0x16, 0xf3, 0xa4});  // mov rdx, [rsi]; rep movsb
  const Block& block = copy(source);
  core_->sample_tick = kFirstTick + 10000;
  from_.registers[kCx] = ~uint64_t{0};
  Left left = run_copy(block, from_);
  EXPECT_EQ(left.exit, kExitSample);
  EXPECT_EQ(left.target, source + 3);
  EXPECT_EQ(left.loads, 1u);
  EXPECT_EQ(left.ticks, 4u);
  from_.registers[kCx] = 16;
  EXPECT_NE(run_copy(block, from_).exit, kExitSample);
}

// Copies that count events down return to the dispatcher at each exit.
TEST_F(Exits, ExitsOfSamplingCopiesAreNotLinked) {
  uint64_t end = put_end();
  Block& next = copy(end, Mode::kSampling);
  from_.registers[kDx] = end;
  indirect_place(*core_, end, Mode::kSampling) = {end, reinterpret_cast<uint64_t>(next.code)};
  EXPECT_EQ(run_copy(copy(put_bytes({0xff, 0xe2}), Mode::kSampling), from_).exit,  // jmp rdx
            kExitIndirectWithFlags);
  Left left = run_copy(copy(put_to({0xe8}, end), Mode::kSampling), from_);  // call
  EXPECT_EQ(left.exit, kExitElsewhere);
  EXPECT_EQ(left.target, end);
}

TEST_F(Exits, QuestionsToADefinedProcessorLeave) {
  program_.defined_machine = true;
  uint64_t source = put_bytes({0x0f, 0xa2, 0xc3});  // cpuid; ret
  const Block& block = copy(source);
  EXPECT_FALSE(block.is_undecodable);
  Left left = run_copy(block, from_);
  EXPECT_EQ(left.exit, kExitDefined);
  EXPECT_EQ(left.target, source);
  EXPECT_EQ(left.state.flags & kStatusFlags, from_.flags & kStatusFlags);
}

// xsave saves the components that the defined processor has, and leaves eax and the flags as they are.
TEST_F(Exits, SavedStateIsLimitedToADefinedProcessors) {
  from_.registers[kSi] = (data() + 127) & ~uint64_t{63};
  from_.registers[kAx] = 3;  // x87 and SSE
  from_.registers[kDx] = 0;
  const auto vectors_of = [&](const Left& left) {
    constexpr size_t kOffset = 160, kBytes = 256;  // Intel SDM volume 1, section 13.4.1
    auto area = left.data.begin() + static_cast<ptrdiff_t>(from_.registers[kSi] - data() + kOffset);
    return std::vector<uint8_t>(area, area + kBytes);
  };
  const std::vector<uint8_t> save{0x48, 0x0f, 0xae, 0x26};  // xsave64 [rsi]
  std::vector<uint8_t> before = vectors_of(run_copy(copy(put_end()), from_));
  EXPECT_NE(vectors_of(run_copy(copy(put_ending(save)), from_)), before);
  plan_.state_components = 1;  // x87
  Left left = run_copy(copy(put_ending(save)), from_);
  EXPECT_EQ(vectors_of(left), before);
  EXPECT_EQ(left.state.registers[kAx], 3u);
  EXPECT_EQ(left.state.flags & kStatusFlags, from_.flags & kStatusFlags);
}

TEST_F(Exits, AReturnReleasesItsBytes) {
  uint64_t source = put_bytes({0x68, 0x44, 0x33, 0x22, 0x11, 0xc2, 0x18, 0x00});  // push 0x11223344; ret 24
  Left left = run_copy(copy(source), from_);
  EXPECT_EQ(left.exit, kExitIndirect);
  EXPECT_EQ(left.target, 0x11223344u);
  EXPECT_EQ(left.state.registers[kSp], from_.registers[kSp] + 24);
}

TEST_F(Exits, AnIndirectBranchFindsItsTargetInTheTable) {
  uint64_t end = put_end();
  const Block& next = copy(end);
  from_.registers[kDx] = end;
  indirect_place(*core_, end, Mode::kCollecting) = {end, reinterpret_cast<uint64_t>(next.code)};
  const Block& block = copy(put_bytes({0xff, 0xe2}));        // jmp rdx
  EXPECT_EQ(run_copy(block, from_).exit, kExitUndecodable);  // the exit of `next`
  indirect_place(*core_, end, Mode::kCollecting).target = 1;
  Left missed = run_copy(block, from_);
  EXPECT_EQ(missed.exit, kExitIndirectWithFlags);  // the target may be within the function
  EXPECT_EQ(missed.target, end);
  EXPECT_EQ(missed.state.flags & kStatusFlags, from_.flags & kStatusFlags);
}

TEST_F(Exits, OnlyABranchThatKeepsFlagsFindsCodeThatReadsThem) {
  uint64_t end = put_end();
  const Block& next = copy(end);
  from_.registers[kDx] = end;
  indirect_place(*core_, end, Mode::kCollecting) = {end | kReadsFlags, reinterpret_cast<uint64_t>(next.code)};
  const Block& jump = copy(put_bytes({0xff, 0xe2}));  // jmp rdx
  Left found = run_copy(jump, from_);
  EXPECT_EQ(found.exit, kExitUndecodable);  // the exit of `next`
  EXPECT_EQ(found.state.flags & kStatusFlags, from_.flags & kStatusFlags);
  const Block& ret = copy(put_bytes({0x52, 0xc3}));  // push rdx; ret
  EXPECT_EQ(run_copy(ret, from_).exit, kExitIndirect);
}

TEST_F(Exits, ASystemCallLeadsBehindItself) {
  uint64_t source = put_bytes({0x90, 0x0f, 0x05});
  Left left = run_copy(copy(source), from_);
  EXPECT_EQ(left.exit, kExitSystemCall);
  EXPECT_EQ(left.target, source + 3);
}

TEST_F(Exits, WhatCannotBeCopiedLeavesThere) {
  uint64_t source = put_bytes({0x90, 0x65, 0x48, 0x8b, 0x06});  // nop; mov rax, gs:[rsi]
  Left left = run_copy(copy(source), from_);
  EXPECT_EQ(left.exit, kExitUndecodable);
  EXPECT_EQ(left.target, source + 1);
}

TEST_F(Exits, ABlockEndsBeforeAFunctionThatIsCollectedAndBeforeAnAllocator) {
  for (auto* beginnings : {&program_.entries, &program_.allocators}) {
    uint64_t source = put_bytes({0x90, 0x90, 0x90, 0x90});
    beginnings->insert(source + 2);
    Left left = run_copy(copy(source), from_);
    ASSERT_GE(left.exit, kFirstExit);
    EXPECT_EQ(left.target, source + 2);
  }
}

TEST_F(Exits, TheBeginningOfAFunctionThatIsCollectedLeavesAtOnce) {
  uint64_t source = put_end();
  plan_.mode = Mode::kUninstrumented;
  plan_.uninstrumented = true;
  Translator translator(plan_, cache_, cache_.arena_near(source), program_);
  Left left = run_copy(*cache_.add_block(translator.translate_entry(source)), from_);
  EXPECT_EQ(left.exit, kExitEntry);
  EXPECT_EQ(left.target, source);
}

TEST_F(Exits, ACollectedFunctionsReturnLeavesThoughItsTargetIsKnown) {
  uint64_t end = put_end();
  indirect_place(*core_, end, Mode::kCollecting) = {end, reinterpret_cast<uint64_t>(copy(end).code)};
  from_.registers[kDx] = end;
  plan_.ends_activations = true;
  const Block& block = copy(put_bytes({0xff, 0xe2}));  // jmp rdx
  core_->activation_sp = from_.registers[kSp];
  EXPECT_EQ(run_copy(block, from_).exit, kExitUndecodable);
  core_->activation_sp = from_.registers[kSp] - 8;  // the stack pointer is above the activation's
  EXPECT_EQ(run_copy(block, from_).exit, kExitIndirectWithFlags);
}

TEST_F(Exits, LeadToACopyThatThereIsAlready) {
  uint64_t end = put_end();
  copy(end);
  Left left = run_copy(copy(put_to({0xe8}, end)), from_);  // call end
  EXPECT_EQ(left.exit, kExitUndecodable);
}

TEST_F(Exits, LeadToTheDispatcherUntilTheyAreLinkedAndAfterTheirBlockIsDropped) {
  uint64_t end = put_end();
  const Block& block = copy(put_to({0xe8}, end));
  Left before = run_copy(block, from_);
  ASSERT_GE(before.exit, kFirstExit);
  cache_.link_exit(before.exit, copy(end));
  EXPECT_EQ(run_copy(block, from_).exit, kExitUndecodable);
  EXPECT_NE(cache_.drop_block(end, Mode::kCollecting), nullptr);
  EXPECT_EQ(run_copy(block, from_).exit, before.exit);
  cache_.link_exit(before.exit, copy(end));  // the new copy
  EXPECT_EQ(run_copy(block, from_).exit, kExitUndecodable);
}

TEST_F(Exits, ALoopToItsOwnBeginningRuns) {
  // add eax, ecx; dec edx; jne -6; followed by zeros: add [rax], al
  uint64_t source = put_ending(std::vector<uint8_t>{0x01, 0xc8, 0xff, 0xca, 0x75, 0xfa});
  from_.registers[kDx] = 10;
  Left original = run_original(source, from_);
  Block& block = copy(source);
  Left first = run_copy(block, from_);
  ASSERT_GE(first.exit, kFirstExit);
  EXPECT_EQ(first.target, source);
  EXPECT_EQ(first.ticks, 6u);
  cache_.link_exit(first.exit, block);
  Left all = run_copy(block, from_);
  EXPECT_EQ(all.exit, kExitUndecodable);
  EXPECT_EQ(all.ticks, 2u * (10 * 3 + 1));
  EXPECT_EQ(difference(original, all, kStatusFlags), "");
}

TEST_F(Exits, ALoopLeavesOnceTheSessionIsNoLongerHeld) {
  uint64_t source = put_ending(std::vector<uint8_t>{0x01, 0xc8, 0xff, 0xca, 0x75, 0xfa});
  from_.registers[kDx] = 10;
  uint32_t held = 1;
  plan_.held = &held;
  Block& block = copy(source, Mode::kUninstrumented);
  Left first = run_copy(block, from_);
  ASSERT_GE(first.exit, kFirstExit);
  cache_.link_exit(first.exit, block);
  EXPECT_EQ(run_copy(block, from_).exit, kExitUndecodable);
  held = 0;
  Left left = run_copy(block, from_);
  EXPECT_EQ(left.exit, first.exit);
  EXPECT_EQ(left.state.registers[kDx] & 0xffffffff, 9u);
}

TEST_F(Exits, TakenBranchesAreRecorded) {
  plan_.demand.branch_filter = ~uint32_t{0};
  uint64_t end = put_end();
  uint64_t source = put_to({0xe9}, end);  // jmp end; nop; jmp to the end of runs
  EXPECT_EQ(run_copy(copy(source), from_).target, end) << "a jump back ends a block";
  run_copy(copy(end), from_);
  ASSERT_EQ(core_->branches.next, 2u);
  ASSERT_EQ(program_.sites.size(), 2u);
  EXPECT_EQ(core_->branches.sites[0], 1u);
  EXPECT_EQ(program_.sites[0], std::pair(source, end));
  EXPECT_EQ(program_.sites[1].first, end + 1);
}

TEST_F(Exits, BlocksAreFoundByTheirCode) {
  uint64_t end = put_end();
  const Block& block = copy(end);
  const Block& other = copy(put_to({0xe8}, end));
  EXPECT_EQ(cache_.find_block(end, Mode::kCollecting), &block);
  EXPECT_EQ(cache_.find_block(end, Mode::kUninstrumented), nullptr);
  EXPECT_EQ(cache_.block_of_code(block.code + 1), &block);
  EXPECT_EQ(cache_.block_of_code(other.code), &other);
  EXPECT_FALSE(cache_.is_copied_code(reinterpret_cast<const uint8_t*>(end)));
}

TEST_F(Exits, BlocksAreDroppedWithTheirPages) {
  uint64_t near = put_end();
  put(std::vector<uint8_t>(2 * 4096, 0x90));
  uint64_t far = put_end();
  copy(near);
  copy(far);
  unsigned dropped = 0;
  cache_.drop_blocks(
      near, near + 1, [](const Block&, void* count) { ++*static_cast<unsigned*>(count); }, &dropped);
  EXPECT_EQ(dropped, 1u);
  EXPECT_EQ(cache_.find_block(near, Mode::kCollecting), nullptr);
  EXPECT_NE(cache_.find_block(far, Mode::kCollecting), nullptr);
  cache_.drop_all_blocks();
  EXPECT_EQ(cache_.find_block(far, Mode::kCollecting), nullptr);
}

}  // namespace
}  // namespace hm::soft::direct
