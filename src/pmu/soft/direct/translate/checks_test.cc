// SPDX-License-Identifier: MIT
// Tests the calls of copied code to the models, and its behaviour without these calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <tuple>
#include <vector>

#include "model/code_filter.h"
#include "pmu/soft/direct/core/core_offsets.h"
#include "pmu/soft/direct/core/elements.h"
#include "pmu/soft/direct/core/string_plan.h"
#include "pmu/soft/direct/translate/harness/harness.h"
#include "pmu/soft/sampling/access_info.h"

namespace hm::soft::direct {
namespace {

using record::AccessKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Arguments of a call for an access: its address, its size in bytes, its kind, and the ticks of the block
// before it.
using DataCall = std::tuple<uint64_t, uint32_t, AccessKind, uint64_t>;

std::vector<DataCall> data_calls(const Left& left) {
  std::vector<DataCall> data;
  for (const CallOut& call : left.calls) {
    if (call.thunk != kData) continue;
    AccessInfo info = AccessInfo::unpack(call.r11 & ((1u << ACCESS_BITS) - 1));
    data.emplace_back(call.r10, info.bytes(), info.kind(), call.r11 >> ACCESS_BITS);
  }
  return data;
}

class Checks : public Translation {
 protected:
  Checks() : from_(random_state(1)), si_(from_.registers[kSi]), bx_(from_.registers[kBx]) {
    from_.registers[kBx] = bx_ &= ~uint64_t{kLineBytes - 1};
    from_.registers[kSi] = si_ &= ~uint64_t{kLineBytes - 1};
  }
  Left run(std::initializer_list<uint8_t> code, Mode mode = Mode::kCollecting) {
    std::vector<uint8_t> bytes(code);
    return run_copy(copy(put_ending(bytes), mode), from_);
  }

  State from_;
  uint64_t si_, bx_;
};

TEST_F(Checks, TellTheModelsOfEachAccess) {
  Left left = run({0x48, 0x8b, 0x46, 0x08,    // mov rax, [rsi + 8]
                   0x88, 0x0b,                // mov [rbx], cl
                   0x44, 0x01, 0x56, 0x10});  // add [rsi + 16], r10d
  // Each instruction and each access takes two ticks. A load that is followed by its store makes one call.
  EXPECT_THAT(data_calls(left),
              ElementsAre(DataCall{si_ + 8, 8, AccessKind::kLoad, 2}, DataCall{bx_, 1, AccessKind::kStore, 6},
                          DataCall{si_ + 16, 4, AccessKind::kLoad, 10}));
}

TEST_F(Checks, CountWhatTheBlockHasDone) {
  Left left = run({0x48, 0x8b, 0x46, 0x08, 0x88, 0x0b, 0x44, 0x01, 0x56, 0x10});
  EXPECT_EQ(left.loads, 2u);
  EXPECT_EQ(left.stores, 2u);
  EXPECT_EQ(left.ticks, 2u * (4 + 4));  // the jump behind them is an instruction, too
}

TEST_F(Checks, LetResidentLinesPassAndStampThem) {
  make_resident(si_, 64, true);
  Left left = run({0x90,                    // nop
                   0x48, 0x8b, 0x46, 0x08,  // mov rax, [rsi + 8]
                   0x48, 0x89, 0x46, 0x10,  // mov [rsi + 16], rax
                   0x48, 0x8b, 0x03});      // mov rax, [rbx]
  EXPECT_THAT(data_calls(left), ElementsAre(DataCall{bx_, 8, AccessKind::kLoad, 12}));
  EXPECT_EQ(stamp_of(si_), kFirstTick + 8);  // the stamp of the last access
}

TEST_F(Checks, AStoreNeedsALineThatMayBeWritten) {
  make_resident(si_, 64, false);
  Left left = run({0x48, 0x8b, 0x46, 0x08,    // mov rax, [rsi + 8]
                   0x48, 0x89, 0x46, 0x10});  // mov [rsi + 16], rax
  EXPECT_THAT(data_calls(left), ElementsAre(DataCall{si_ + 16, 8, AccessKind::kStore, 6}));
}

TEST_F(Checks, AnAccessToTwoLinesIsAlwaysTold) {
  make_resident(si_, 128, true);
  Left left = run({0x48, 0x8b, 0x46, 0x3c});  // mov rax, [rsi + 60]
  EXPECT_THAT(data_calls(left), ElementsAre(DataCall{si_ + 60, 8, AccessKind::kLoad, 2}));
}

TEST_F(Checks, NeighboursThatShareACheckStayInTheirLine) {
  make_resident(si_, 64, true);
  Left left = run({0x48, 0x8b, 0x06,        // mov rax, [rsi]
                   0x48, 0x8b, 0x4e, 0x08,  // mov rcx, [rsi + 8]
                   0x48, 0x8b, 0x4e, 0x40,  // mov rcx, [rsi + 64]
                   0x39, 0xc0});            // cmp eax, eax: no flags live before
  EXPECT_THAT(data_calls(left), ElementsAre(DataCall{si_ + 64, 8, AccessKind::kLoad, 10}));
  EXPECT_EQ(stamp_of(si_), kFirstTick + 6);
}

TEST_F(Checks, NeighboursNoLongerShareACheckWhenTheirRegisterHasChanged) {
  make_resident(si_, 64, true);
  Left left = run({0x48, 0x8b, 0x06,        // mov rax, [rsi]
                   0x48, 0x8d, 0x76, 0x40,  // lea rsi, [rsi + 64]
                   0x48, 0x8b, 0x0e,        // mov rcx, [rsi]
                   0x39, 0xc0});            // cmp eax, eax
  EXPECT_THAT(data_calls(left), ElementsAre(DataCall{si_ + 64, 8, AccessKind::kLoad, 8}));
}

TEST_F(Checks, PushesShareACheckUpToTheLinesEnd) {
  uint64_t sp = from_.registers[kSp] += 16;
  make_resident(sp - 16, 64, true);
  Left left = run({0x50, 0x51, 0x52,  // push rax; push rcx; push rdx
                   0x58,              // pop rax
                   0x39, 0xc0});      // cmp eax, eax
  EXPECT_THAT(data_calls(left), ElementsAre(DataCall{sp - 24, 8, AccessKind::kStore, 10},
                                            DataCall{sp - 24, 8, AccessKind::kLoad, 14}));
}

TEST_F(Checks, UninstrumentedCopiesTellNothing) {
  program_.code_page = offsetof(Core, model);
  Left left = run({0x48, 0x8b, 0x46, 0x08, 0x88, 0x0b}, Mode::kUninstrumented);
  EXPECT_THAT(left.calls, IsEmpty());
  EXPECT_EQ(left.ticks + left.loads + left.stores, 0u);
}

TEST_F(Checks, ACodeLineIsFetchedOnceInABlock) {
  program_.code_page = offsetof(Core, model);  // the page's memory is not used otherwise here
  std::vector<uint8_t> nops(70, 0x90);
  uint64_t source = put(nops);
  auto index = static_cast<uint32_t>(source >> plan_.line_shift) & (plan_.lines_per_page - 1);
  const Block& block = copy(source);
  Left left = run_copy(block, from_);
  ASSERT_EQ(left.calls.size(), 1u);  // a block has 64 instructions at most
  EXPECT_EQ(left.calls[0].thunk, kFetch);
  EXPECT_EQ(left.calls[0].r10, program_.code_page);
  EXPECT_EQ(left.calls[0].r11 >> FETCH_TICK_BITS, index);

  auto& page = reinterpret_cast<model::CodePage&>(core_->model);
  page.presence[index] = kCodeOffset + 8 * sizeof(model::CodePlace);
  EXPECT_THAT(run_copy(block, from_).calls, IsEmpty());
  EXPECT_EQ(core_->filters.code[8].stamp, kFirstTick);
}

TEST_F(Checks, CodeThatIsNotModelledIsNotFetched) {
  program_.code_page = offsetof(Core, model);
  plan_.demand.code = false;
  EXPECT_THAT(run_copy(copy(put(std::vector<uint8_t>(70, 0x90))), from_).calls, IsEmpty());
}

TEST_F(Checks, APauseLooksAtOtherProcessesWhereMemoryIsCommon) {
  EXPECT_THAT(run({0xf3, 0x90}).calls, IsEmpty());
  program_.common_memory = true;
  Left left = run({0xf3, 0x90});
  ASSERT_EQ(left.calls.size(), 1u);
  EXPECT_EQ(left.calls[0].thunk, kPause);
}

TEST_F(Checks, AnAllocatorsCopyCallsWhetherOrNotItIsCollected) {
  for (Mode mode : {Mode::kUninstrumented, Mode::kCollecting}) {
    uint64_t source = put_ending(std::vector<uint8_t>{0x90});
    program_.heap_points[source] = 5;
    Left left = run_copy(copy(source, mode), from_);
    ASSERT_EQ(left.calls.size(), 1u);
    EXPECT_EQ(left.calls[0].thunk, kHeap);
    EXPECT_EQ(left.calls[0].r10, source);
    EXPECT_EQ(left.calls[0].r11, 5u);
  }
}

TEST_F(Checks, ARepeatedStringInstructionIsToldWhenItHasRun) {
  from_.registers[kCx] = 5;
  Left left = run({0xf3, 0x48, 0xa5});  // rep movsq
  ASSERT_EQ(left.calls.size(), 1u);
  EXPECT_EQ(left.calls[0].thunk, kString);
  EXPECT_EQ(core_->string.count, 5u);
  EXPECT_EQ(core_->string.source, si_);
  EXPECT_EQ(core_->string.destination, from_.registers[kDi]);
  const StringPlan& plan = *core_->string.plan;
  EXPECT_EQ(plan.operation, StringOperation::kMovs);
  EXPECT_EQ(plan.bytes, 8u);
}

TEST_F(Checks, AGatherIsToldWithItsIndicesAndItsMask) {
  if (__builtin_cpu_supports("avx2") == 0) GTEST_SKIP() << "this processor has no AVX2";
  for (unsigned i = 0; i < 4; ++i) {
    uint32_t index = 3 * i, mask = i == 2 ? 0 : ~uint32_t{0};
    __builtin_memcpy(from_.vectors[1] + 4 * i, &index, 4);
    __builtin_memcpy(from_.vectors[2] + 4 * i, &mask, 4);
  }
  uint64_t source = put_ending(std::vector<uint8_t>{0xc4, 0xe2, 0x69, 0x90, 0x04, 0x8e});
  Left original = run_original(source, from_);  // vpgatherdd xmm0, [rsi + 4 * xmm1], xmm2
  Left left = run_copy(copy(source), from_);
  EXPECT_EQ(difference(original, left, 0), "");
  ASSERT_EQ(left.calls.size(), 1u);
  EXPECT_EQ(left.calls[0].thunk, kElements);
  EXPECT_EQ(left.calls[0].r10, si_);
  EXPECT_EQ(__builtin_memcmp(core_->elements.index, from_.vectors[1], 16), 0);
  EXPECT_EQ(__builtin_memcmp(core_->elements.mask, from_.vectors[2], 16), 0);
  const ElementsPlan& plan = *core_->elements.plan;
  EXPECT_EQ(plan.count, 4u);
  EXPECT_EQ(plan.scale, 4u);
  EXPECT_EQ(plan.info.bytes(), 4u);
}

}  // namespace
}  // namespace hm::soft::direct
