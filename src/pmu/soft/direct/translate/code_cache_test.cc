// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/translate/code_cache.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <map>
#include <memory>
#include <vector>

namespace hm::soft::direct {
namespace {

constexpr uint64_t kPage = 4096;

// Pages of code, and blocks that refer to them as their source.
class CodeCacheTest : public ::testing::Test {
 protected:
  CodeCacheTest()
      : code_(static_cast<uint8_t*>(
            ::mmap(nullptr, kPages * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {}
  ~CodeCacheTest() override { ::munmap(code_, kPages * kPage); }

  [[nodiscard]] uint64_t address(uint64_t offset) const { return reinterpret_cast<uint64_t>(code_) + offset; }

  // Adds a block of one instruction.
  void add(uint64_t offset) {
    Arena& arena = cache_->arena_near(address(offset));
    steps_.push_back(std::make_unique<StepMap[]>(2));
    steps_.back()[0].source = address(offset);
    Block block{};
    block.source = address(offset);
    block.code = arena.hot_begin + steps_.size();
    block.cold = arena.cold_begin + steps_.size();
    block.steps = steps_.back().get();
    block.step_count = block.hot_bytes = block.cold_bytes = 1;
    block.mode = Mode::kCollecting;
    cache_->add_block(block);
  }
  void drop(uint64_t from, uint64_t to) {
    cache_->drop_blocks(
        address(from), address(to), [](const Block&, void*) {}, nullptr);
  }
  // Returns the offsets and checksums of the pages that have blocks.
  std::map<uint64_t, uint64_t> source_pages() {
    std::map<uint64_t, uint64_t> pages;
    cache_->for_each_source_page([&](const SourcePage& page) {
      EXPECT_TRUE(pages.emplace(page.number * kPage - address(0), page.sum).second) << "a page comes twice";
    });
    return pages;
  }
  [[nodiscard]] uint64_t sum_at(uint64_t offset) const { return sum_of_page(address(offset) / kPage); }

  static constexpr uint64_t kPages = 4;
  uint8_t* code_;
  std::unique_ptr<CodeCache> cache_ = std::make_unique<CodeCache>();
  std::vector<std::unique_ptr<StepMap[]>> steps_;
};

TEST_F(CodeCacheTest, KnowsWhichPagesItHasBlocksOf) {
  add(100);
  add(200);
  add(2 * kPage + 8);
  std::map<uint64_t, uint64_t> expected{{0, sum_at(0)}, {2 * kPage, sum_at(2 * kPage)}};
  EXPECT_EQ(source_pages(), expected);
}

TEST_F(CodeCacheTest, KeepsTheSumOfWhatWasCopied) {
  add(100);
  uint64_t before = sum_at(0);
  code_[4000] = 1;
  EXPECT_NE(sum_at(0), before);
  add(300);
  EXPECT_EQ(source_pages().at(0), before) << "a block that was copied before is of other code";
}

TEST_F(CodeCacheTest, SumsAPageAnewWhenItsBlocksHaveBeenDropped) {
  for (uint8_t round = 1; round < 100; ++round) {
    code_[50] = round;
    add(100);
    EXPECT_EQ(source_pages().at(0), sum_at(0));
    drop(0, kPage);
    EXPECT_TRUE(source_pages().empty());
  }
}

TEST_F(CodeCacheTest, APageThatCannotBeReadHasNoSum) {
  ::mprotect(code_ + kPage, kPage, PROT_NONE);
  EXPECT_EQ(sum_at(kPage), 0u);
}

TEST_F(CodeCacheTest, ForgetsAllOfItAndUsesTheMemoryAgain) {
  for (uint64_t offset = 0; offset < 2000; offset += 2) add(offset);
  const uint8_t* arena = cache_->arena_near(address(0)).hot_begin;
  StepMap* steps = cache_->take_steps(7);
  cache_->arena_near(address(0)).hot.word64(0);
  EXPECT_EQ(cache_->use().hot_bytes, 8u);
  drop(0, kPage);
  EXPECT_EQ(cache_->use().dropped_bytes, 1000u);
  cache_->forget_all();
  steps_.clear();
  EXPECT_EQ(cache_->use().hot_bytes, 0u);
  EXPECT_EQ(cache_->use().dropped_bytes, 0u);
  EXPECT_TRUE(source_pages().empty());
  EXPECT_EQ(cache_->block_of_code(arena + 1), nullptr);
  EXPECT_EQ(cache_->take_steps(7), steps);
  for (uint64_t offset = 0; offset < 2000; offset += 2)
    EXPECT_EQ(cache_->find_block(address(offset), Mode::kCollecting), nullptr);
  add(100);
  EXPECT_EQ(cache_->find_block(address(100), Mode::kCollecting)->code, arena + 1);
  EXPECT_EQ(source_pages(), (std::map<uint64_t, uint64_t>{{0, sum_at(0)}}));
}

TEST_F(CodeCacheTest, SaysWhenItIsNearlyFull) {
  EXPECT_FALSE(cache_->is_nearly_full());
  StableArray<int, 4, 4> array;
  for (int i = 0; i < 12; ++i) {
    EXPECT_TRUE(array.has_room()) << i;
    array.add(i);
  }
  EXPECT_FALSE(array.has_room());
  array.clear();
  EXPECT_TRUE(array.has_room());
}

}  // namespace
}  // namespace hm::soft::direct
