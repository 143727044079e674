// SPDX-License-Identifier: MIT
#include "app/measure/soft/block_listing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hm::measure {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr uint64_t kSource = 0x401000, kHot = 0x7000, kCold = 0x9000;

// add (%rsi), %rax; ret. The copies are a jump to cold code and a jump back, in place of a translator's
// output.
constexpr std::array<uint8_t, 3> kAdd{0x48, 0x03, 0x06};
constexpr std::array<uint8_t, 1> kRet{0xc3};
constexpr std::array<uint8_t, 6> kJumpToCold{0x0f, 0x84, 0xfa, 0x1f, 0x00, 0x00};
constexpr std::array<uint8_t, 9> kLoadTick{0x65, 0x4c, 0x8b, 0x14, 0x25, 0xf0, 0x00, 0x00, 0x00};
// call *%gs:0x188
constexpr std::array<uint8_t, 8> kCallThunk{0x65, 0xff, 0x14, 0x25, 0x88, 0x01, 0x00, 0x00};
constexpr std::array<uint8_t, 5> kJumpBack{0xe9, 0x01, 0xe0, 0xff, 0xff};

template <size_t count>
Bytes bytes_of(const std::array<uint8_t, count>& code) {
  return std::as_bytes(std::span(code));
}

soft::TracedBlock block() {
  soft::TracedBlock block{};
  block.what.pid = 42;
  block.what.end = static_cast<uint32_t>(soft::BlockEnd::kReturn);
  block.what.source = kSource;
  block.what.source_bytes = 4;
  block.what.steps = 2;
  block.what.hot = kHot;
  block.what.cold = kCold;
  block.what.hot_bytes = sizeof(kJumpToCold) + sizeof(kLoadTick);
  block.what.cold_bytes = sizeof(kJumpBack);
  soft::BlockStep add;
  add.source = kSource;
  add.source_bytes = sizeof(kAdd);
  add.hot_bytes = sizeof(kJumpToCold);
  add.cold_bytes = sizeof(kJumpBack);
  add.flags_live = 1;
  add.stand_in = 3;
  soft::BlockStep ret;
  ret.source = kSource + sizeof(kAdd);
  ret.source_bytes = sizeof(kRet);
  ret.hot = sizeof(kJumpToCold);
  ret.hot_bytes = sizeof(kLoadTick) + 7;
  block.steps = {{add, bytes_of(kAdd), bytes_of(kJumpToCold), bytes_of(kJumpBack)},
                 {ret, bytes_of(kRet), bytes_of(kLoadTick), {}}};
  return block;
}

TEST(BlockListing, PutsEachInstructionBesideItsCopy) {
  PassingRecords nothing;
  EXPECT_EQ(BlockListing(nothing).text(block()),
            "block 0x401000, process 42: 4 bytes in 2 steps; ends with a return\n"
            "copied into 15 bytes, hot at 0x7000, and 5, cold at 0x9000\n"
            "source    instruction              copy      instruction           of the core\n"
            "0x401000  add    (%rsi),%rax       hot+0x0   je     cold+0x0\n"
            "          # status flags are live  cold+0x0  jmp    hot+0x6\n"
            "          # rbx stands in\n"
            "0x401003  ret                      hot+0x6   mov    %gs:0xf0,%r10  tick\n"
            "                                             (7 bytes more)\n"
            "\n");
}

TEST(BlockListing, ContinuesAndEndsAsTheRecordSays) {
  PassingRecords nothing;
  soft::TracedBlock some = block();
  some.what.first_step = 1;
  EXPECT_THAT(BlockListing(nothing).text(some),
              HasSubstr("block 0x401000, process 42, from step 2 on\nsource"));
  some.what.first_step = 0;
  some.what.end = static_cast<uint32_t>(soft::BlockEnd::kFull);
  some.what.next = 0x402000;
  EXPECT_THAT(BlockListing(nothing).text(some), HasSubstr("; is full; 0x402000 follows\n"));
  some.what.end = 1000;
  EXPECT_THAT(BlockListing(nothing).text(some), HasSubstr("; ends for an unknown reason\n"));
}

TEST(BlockListing, TheCodeThatLeadsElsewhereHasNoInstruction) {
  PassingRecords nothing;
  soft::TracedBlock some = block();
  some.steps[1].source = {};
  EXPECT_THAT(BlockListing(nothing).text(some), HasSubstr("\n0x401003  (elsewhere) "));
  some.steps[1].hot = {};
  EXPECT_THAT(BlockListing(nothing).text(some), Not(HasSubstr("(elsewhere)")));
}

TEST(BlockListing, NamesWhatACallGoesThrough) {
  PassingRecords nothing;
  soft::TracedBlock some = block();
  some.steps[1].hot = bytes_of(kCallThunk);
  EXPECT_THAT(BlockListing(nothing).text(some), HasSubstr("call fetch\n"));
}

TEST(BlockListing, BlocksOfOtherFunctionsAreNotWanted) {
  PassingRecords nothing;
  EXPECT_EQ(BlockListing(nothing, "main").text(block()), "");
}

}  // namespace
}  // namespace hm::measure
