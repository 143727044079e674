// SPDX-License-Identifier: MIT
// True LRU, although most uses are recorded only outside the TLB and read late.
#include "model/tlb.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "model/cache.h"
#include "model/reference_models.h"
#include "model/test_storage.h"

namespace hm::model {
namespace {

using ::testing::UnorderedElementsAreArray;

// A Tlb, and the last uses of its entries' pages, which are not reported to it.
class WatchedTlb {
 public:
  explicit WatchedTlb(SetGeometry geometry)
      : tlb_(storage_.build<Tlb>([&](Arena& arena) { return Tlb(geometry, arena); })),
        last_use_(Tlb::entries(geometry)) {}

  // Returns whether the page was present.
  bool use(uint64_t page) {
    uint32_t entry = tlb_.find(page);
    bool there = entry != Tlb::kNoEntry;
    if (!there) {
      entry = tlb_.bring_in(
          page, now_ + 1, [&](uint32_t each) { return last_use_[each]; }, [&](uint32_t) { ++evicted_; });
      EXPECT_EQ(tlb_.find(page), entry);
    }
    last_use_[entry] = ++now_;
    return there;
  }

  [[nodiscard]] int evicted() const { return evicted_; }
  [[nodiscard]] std::vector<uint64_t> pages() const {
    std::vector<uint64_t> all;
    tlb_.for_each([&](uint64_t page) { all.push_back(page); });
    return all;
  }

 private:
  Storage storage_;
  Tlb tlb_;
  std::vector<uint64_t> last_use_;
  uint64_t now_ = 0;
  int evicted_ = 0;
};

TEST(Tlb, AgreesWithAPlainList) {
  for (SetGeometry geometry : {SetGeometry{1, 72}, {16, 4}, {3, 5}, {16, 1}, {1, 1}, {1, 1024}}) {
    SCOPED_TRACE(testing::Message() << geometry.sets << " sets of " << geometry.ways);
    WatchedTlb fast(geometry);
    reference::LruSets slow(geometry);
    std::mt19937 random(1);
    for (int step = 0; step < 100000; ++step) {
      uint64_t hot = random() % 8;
      uint64_t cold = random() % (2 * geometry.entries());
      uint64_t page = random() % 2 == 0 ? hot : cold;
      ASSERT_EQ(fast.use(page), slow.access(page)) << "step " << step;
      if (step % 5000 == 7) {
        ASSERT_THAT(fast.pages(), UnorderedElementsAreArray(slow.by_recency())) << "step " << step;
      }
    }
  }
}

TEST(SecondTlb, IsToldOfByRecency) {
  for (SetGeometry geometry : {SetGeometry{16, 4}, {3, 5}, {1, 8}}) {
    InStorage<Cache> fast(geometry);
    reference::LruSets slow(geometry);
    std::mt19937 random(1);
    for (int step = 0; step < 3000; ++step) {
      uint64_t page = random() % (2 * geometry.entries());
      fast.object.access(page);
      slow.access(page);
      std::vector<uint64_t> pages;
      fast.object.for_each_by_recency([&](uint64_t each) { pages.push_back(each); });
      ASSERT_EQ(pages, slow.by_recency()) << "step " << step;
    }
  }
}

TEST(Tlb, PagesThatShareABucketAreFound) {
  WatchedTlb tlb({1, 16});
  constexpr uint64_t kFar = uint64_t{1} << 20;
  for (uint64_t i = 0; i < 16; ++i) EXPECT_FALSE(tlb.use(i * kFar));
  for (uint64_t i = 0; i < 16; ++i) EXPECT_TRUE(tlb.use(i * kFar));
  EXPECT_EQ(tlb.evicted(), 0);
  EXPECT_FALSE(tlb.use(16 * kFar));
  EXPECT_EQ(tlb.evicted(), 1);
  EXPECT_FALSE(tlb.use(0));
  EXPECT_TRUE(tlb.use(2 * kFar));
}

}  // namespace
}  // namespace hm::model
