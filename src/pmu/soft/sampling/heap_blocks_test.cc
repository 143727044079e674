// SPDX-License-Identifier: MIT
// Compares the table of blocks with a plain std::map.
#include "pmu/soft/sampling/heap_blocks.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "pmu/soft/sampling/test_platform.h"

namespace hm::soft {
namespace {

using Layer = HeapLayer<TestPlatform>;
using Blocks = HeapBlocks<TestPlatform>;

// Does the same as the layer, slowly.
class Plain {
 public:
  void put(uint64_t start, uint64_t bytes, uint32_t site) {
    remove_in(start, start + bytes);
    // At most one block begins in 8 bytes.
    remove_in(start & ~uint64_t{7}, (start & ~uint64_t{7}) + 8);
    blocks_[start] = {start, bytes, site};
  }
  bool remove(uint64_t start) { return blocks_.erase(start) != 0; }
  void remove_in(uint64_t start, uint64_t end) {
    blocks_.erase(blocks_.lower_bound(start), blocks_.lower_bound(end));
  }
  [[nodiscard]] const HeapBlock* find(uint64_t address) const {
    auto behind = blocks_.upper_bound(address);
    if (behind == blocks_.begin()) return nullptr;
    const HeapBlock& block = std::prev(behind)->second;
    return address - block.start < block.bytes ? &block : nullptr;
  }
  [[nodiscard]] uint64_t any_start(std::mt19937_64& random) const {
    if (blocks_.empty()) return 0;
    auto found = blocks_.lower_bound(random() % (blocks_.rbegin()->first + 1));
    return found->first;
  }

 private:
  std::map<uint64_t, HeapBlock> blocks_;
};

struct Shape {
  uint64_t base;
  uint64_t range;      // starts are below base + range
  uint64_t alignment;  // of starts
  uint64_t max_bytes;
};

void expect_same(Layer& layer, const Plain& plain, uint64_t address) {
  HeapBlock found;
  const HeapBlock* expected = plain.find(address);
  ASSERT_EQ(layer.find(address, found), expected != nullptr) << std::hex << address;
  if (expected == nullptr) return;
  EXPECT_EQ(found.start, expected->start);
  EXPECT_EQ(found.bytes, expected->bytes);
  EXPECT_EQ(found.site, expected->site);
}

void compare(const Shape& shape, uint32_t steps) {
  auto layer = std::make_unique<Layer>();
  Plain plain;
  std::mt19937_64 random(shape.range);
  for (uint32_t i = 0; i < steps && !::testing::Test::HasFailure(); ++i) {
    uint64_t start = shape.base + random() % shape.range / shape.alignment * shape.alignment;
    uint64_t magnitude = random() % 64;
    uint64_t bytes = 1 + random() % std::min(shape.max_bytes, uint64_t{1} << magnitude);
    HeapBlock removed;
    switch (random() % 8) {
      case 0:
        start = plain.any_start(random);
        EXPECT_EQ(layer->remove(start, removed), plain.remove(start));
        break;
      case 1:
        EXPECT_EQ(layer->remove(start, removed), plain.remove(start));
        break;
      case 2:
        if (random() % 16 != 0) break;
        layer->remove_in(start, start + bytes);
        plain.remove_in(start, start + bytes);
        break;
      default:
        ASSERT_TRUE(layer->put(start, bytes, i));
        plain.put(start, bytes, i);
    }
    expect_same(*layer, plain, shape.base + random() % (shape.range + shape.max_bytes));
    expect_same(*layer, plain, start);
    expect_same(*layer, plain, plain.any_start(random));
  }
}

TEST(HeapLayer, IsAsAMap) {
  compare({0x555555550000, 1 << 12, 16, 200}, 20000);                    // many in a leaf
  compare({0x7f0000000000 - (1 << 15), 1 << 16, 8, 100}, 50000);         // across a node's end
  compare({0x555555550000, 1 << 24, 16, 1 << 22}, 20000);                // long blocks over many leaves
  compare({0x10000, uint64_t{1} << 46, 4096, uint64_t{1} << 40}, 3000);  // spread over the address space
  compare({0x555555550003, 1 << 14, 1, 60}, 30000);                      // unaligned
}

TEST(HeapLayer, RefusesWhatIsNoBlock) {
  auto layer = std::make_unique<Layer>();
  HeapBlock found;
  EXPECT_FALSE(layer->put(0x1000, 0, 1));
  EXPECT_FALSE(layer->put(~uint64_t{0}, 16, 1));
  EXPECT_FALSE(layer->put((uint64_t{1} << 47) - 16, 32, 1));
  EXPECT_FALSE(layer->put(0x1000, ~uint64_t{0}, 1));
  EXPECT_FALSE(layer->find(0x1000, found));
  EXPECT_FALSE(layer->find(~uint64_t{0}, found));
  EXPECT_FALSE(layer->remove(~uint64_t{0}, found));
  EXPECT_TRUE(layer->put(0, 16, 1));
  EXPECT_TRUE(layer->find(15, found));
  EXPECT_FALSE(layer->find(16, found));
}

TEST(HeapLayer, WithoutMemoryNothingIsKnown) {
  auto layer = std::make_unique<Layer>();
  HeapBlock found;
  TestPlatform::refuses = true;
  EXPECT_FALSE(layer->put(0x1000, 16, 1));
  TestPlatform::refuses = false;
  EXPECT_FALSE(layer->find(0x1000, found));
  EXPECT_TRUE(layer->put(0x1000, 16, 1));
}

TEST(HeapLayer, AMovedBlockIsNotAnothersThatIsThereNow) {
  auto layer = std::make_unique<Layer>();
  HeapBlock found;
  layer->put(0x1000, 16, 1);
  layer->begin_move(0x1000);
  EXPECT_TRUE(layer->find(0x1008, found));
  EXPECT_TRUE(layer->end_move(0x1000, found));
  EXPECT_FALSE(layer->find(0x1008, found));
  layer->put(0x1000, 16, 1);
  layer->begin_move(0x1000);
  layer->put(0x1000, 16, 2);  // another thread's block
  EXPECT_FALSE(layer->end_move(0x1000, found));
  EXPECT_TRUE(layer->find(0x1008, found));
  layer->begin_move(0x1000);
  layer->cancel_move(0x1000);
  EXPECT_FALSE(layer->end_move(0x1000, found));
}

TEST(HeapLayer, TenMillionBlocks) {
  auto layer = std::make_unique<Layer>();
  constexpr uint64_t kBlocks = 10000000, kBase = 0x555555560000, kApart = 48;
  uint64_t before = TestPlatform::mapped_bytes;
  for (uint64_t i = 0; i < kBlocks; ++i)
    ASSERT_TRUE(layer->put(kBase + i * kApart, 40, static_cast<uint32_t>(i)));
  EXPECT_LT((TestPlatform::mapped_bytes - before) / kBlocks, kApart);
  for (uint64_t i = 0; i < kBlocks; i += 1001) {
    HeapBlock found;
    ASSERT_TRUE(layer->find(kBase + i * kApart + 39, found));
    ASSERT_EQ(found.site, static_cast<uint32_t>(i));
    ASSERT_FALSE(layer->find(kBase + i * kApart + 40, found));
  }
}

// Each thread has its own memory, next to that of the others, as malloc returns it.
TEST(HeapLayer, ThreadsAtTheSameTime) {
  auto layer = std::make_unique<Layer>();
  constexpr uint64_t kBase = 0x555555560000;
  constexpr unsigned kThreads = 4, kSlots = 5000;
  auto work = [&](unsigned thread) {
    std::mt19937_64 random(thread);
    std::vector<bool> there(kSlots);
    for (unsigned i = 0; i < 100000; ++i) {
      uint64_t slot = random() % kSlots, start = kBase + (slot * kThreads + thread) * 64;
      HeapBlock found;
      ASSERT_EQ(layer->find(start + 50, found), there[slot]);
      ASSERT_TRUE(there[slot] ? layer->remove(start, found) : layer->put(start, 64, thread));
      there[slot] = !there[slot];
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  for (std::thread& each : threads) each.join();
}

TEST(HeapBlocks, NamedOnesLieInOthers) {
  auto blocks = std::make_unique<Blocks>();
  HeapBlock found;
  auto site_at = [&](uint64_t address) { return blocks->find(address, found) ? found.site : 0; };
  blocks->allocated(0x10000, 0x1000, 1, false);
  blocks->allocated(0x10000, 0x100, 2, true);
  blocks->allocated(0x10200, 0x100, 3, true);
  EXPECT_EQ(site_at(0x10010), 2u);
  EXPECT_EQ(site_at(0x10150), 1u);
  EXPECT_EQ(site_at(0x10250), 3u);
  blocks->allocated(0x101f0, 0x20, 4, true);  // the pool reuses its memory
  EXPECT_EQ(site_at(0x10200), 4u);
  EXPECT_EQ(site_at(0x10250), 1u);
  blocks->freed(0x10000);
  EXPECT_EQ(site_at(0x10010), 0u);
  EXPECT_EQ(site_at(0x10200), 0u);
  blocks->allocated(0x10000, 0x100, 5, true);
  blocks->freed(0x10000);
  EXPECT_EQ(site_at(0x10010), 0u);
}

TEST(HeapBlocks, AllCanBeForgotten) {
  auto blocks = std::make_unique<Blocks>();
  HeapBlock found;
  for (uint64_t start = 0x10000; start < uint64_t{1} << 46; start *= 3) {
    blocks->allocated(start, 0x1000, 1, false);
    blocks->allocated(start, 0x100, 2, true);
  }
  blocks->forget_all();
  for (uint64_t start = 0x10000; start < uint64_t{1} << 46; start *= 3)
    EXPECT_FALSE(blocks->find(start, found)) << start;
  blocks->allocated(0x10000, 0x1000, 3, false);
  EXPECT_TRUE(blocks->find(0x10000, found));
}

TEST(HeapBlocks, ABlockOfNothingEndsWhatWasThere) {
  auto blocks = std::make_unique<Blocks>();
  HeapBlock found;
  blocks->allocated(0x10000, 0x1000, 1, false);
  blocks->allocated(0x10000, 0, 2, false);
  EXPECT_FALSE(blocks->find(0x10000, found));
}

}  // namespace
}  // namespace hm::soft
