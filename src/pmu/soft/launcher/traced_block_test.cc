// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/traced_block.h"

#include <gtest/gtest.h>

namespace hm::soft {
namespace {

void append(ByteWriter& out, std::initializer_list<uint8_t> bytes) {
  for (uint8_t each : bytes) out.u8(each);
}

// A block record with two steps: a nop and the code after it.
ByteWriter two_steps() {
  ByteWriter out;
  out.write(BlockRecord{.header = {kBlockRecord, 0, 0}, .pid = 7, .source = 0x1000, .steps = 1});
  out.write(BlockStep{.source = 0x1000, .hot_bytes = 2, .cold_bytes = 1, .source_bytes = 1});
  append(out, {0x90, 1, 2, 3});
  out.write(BlockStep{.source = 0x1001, .hot = 2, .cold = 1, .hot_bytes = 1});
  append(out, {4});
  out.pad_to(8);
  return out;
}

TEST(TracedBlock, HasItsStepsAndTheirCode) {
  ByteWriter record = two_steps();
  std::optional<TracedBlock> block = read_traced_block(record.bytes());
  ASSERT_TRUE(block);
  EXPECT_EQ(block->what.pid, 7u);
  ASSERT_EQ(block->steps.size(), 2u);
  EXPECT_EQ(block->steps[0].source.size(), 1u);
  EXPECT_EQ(block->steps[0].source[0], std::byte{0x90});
  EXPECT_EQ(block->steps[0].hot[1], std::byte{2});
  EXPECT_EQ(block->steps[0].cold[0], std::byte{3});
  EXPECT_TRUE(block->steps[1].source.empty());
  EXPECT_EQ(block->steps[1].hot[0], std::byte{4});
}

TEST(TracedBlock, CodeThatIsNotThereIsDamage) {
  ByteWriter record = two_steps();
  size_t whole = record.size();
  size_t first_step = sizeof(BlockRecord);
  EXPECT_FALSE(read_traced_block(record.bytes().first(first_step - 1)));
  EXPECT_FALSE(read_traced_block(record.bytes().first(first_step + sizeof(BlockStep) + 3)));
  BlockStep endless{.source_bytes = 255};
  record.patch(first_step, endless);
  EXPECT_FALSE(read_traced_block(record.bytes().first(whole)));
}

TEST(TracedBlock, OfLongCodeTheBeginningIsThere) {
  ByteWriter out;
  out.write(BlockRecord{.steps = 1});
  out.write(BlockStep{.hot_bytes = 0xffff});
  for (uint32_t i = 0; i < kMaxStepCode; ++i) out.u8(0x90);
  std::optional<TracedBlock> block = read_traced_block(out.bytes());
  ASSERT_TRUE(block);
  ASSERT_EQ(block->steps.size(), 1u);
  EXPECT_EQ(block->steps[0].hot.size(), kMaxStepCode);
}

}  // namespace
}  // namespace hm::soft
