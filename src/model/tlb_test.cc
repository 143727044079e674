// SPDX-License-Identifier: MIT
// True LRU, although most uses are only known to a filter outside, which is asked late.
#include "model/tlb.h"

#include <gtest/gtest.h>

#include <list>
#include <memory>
#include <random>
#include <unordered_map>
#include <vector>

namespace hm::model {
namespace {

// A Tlb, and a filter that keeps the stamps of some uses to itself.
class FilteredTlb {
 public:
  explicit FilteredTlb(SetGeometry geometry) {
    Arena measure;
    Tlb(geometry, measure);
    storage_.resize(measure.used_bytes() / 8 + 16);
    void* aligned = storage_.data();
    size_t space = storage_.size() * 8;
    Arena arena(std::align(64, measure.used_bytes(), aligned, space));
    tlb_ = Tlb(geometry, arena);
  }

  // True where the page was there. `hidden`: a use of a resident page is told to the filter only.
  bool use(uint64_t page, bool hidden) {
    ++now_;
    uint32_t entry = tlb_.find(page);
    if (entry == Tlb::kNone) {
      entry = tlb_.bring_in(
          page, now_, [&](const Tlb::Entry& each) { return filter_[each.page]; },
          [&](const Tlb::Entry& each) { filter_.erase(each.page); });
      EXPECT_EQ(tlb_.entry(entry).page, page);
      return false;
    }
    if (hidden) {
      filter_[page] = now_;
    } else {
      tlb_.entry(entry).stamp = now_;
    }
    return true;
  }

 private:
  std::vector<uint64_t> storage_;
  Tlb tlb_;
  std::unordered_map<uint64_t, uint64_t> filter_;
  uint64_t now_ = 0;
};

class PlainTlb {
 public:
  explicit PlainTlb(SetGeometry geometry) : ways_(geometry.ways), sets_(geometry.sets) {}

  bool use(uint64_t page) {
    std::list<uint64_t>& set = sets_[page % sets_.size()];
    bool found = std::erase(set, page) != 0;
    set.push_front(page);
    if (set.size() > ways_) set.pop_back();
    return found;
  }

 private:
  size_t ways_;
  std::vector<std::list<uint64_t>> sets_;
};

void compare(SetGeometry geometry, unsigned hidden_of_eight) {
  FilteredTlb fast(geometry);
  PlainTlb slow(geometry);
  std::mt19937_64 random(geometry.ways);
  uint64_t sweep = 0;
  for (int step = 0; step < 20000; ++step) {
    uint64_t page = 0;
    switch (random() % 4) {
      case 0:
        page = 0x7fffffff0 + random() % 8;  // always warm
        break;
      case 1:
        page = 0x400 + sweep++ % (3 * geometry.entries() / 2);  // a cycle that does not fit
        break;
      case 2:
        page = 0x400 * (random() % (2 * geometry.entries()));  // all in one bucket
        break;
      default:
        page = 0x10000 + random() % (geometry.entries() + 4);
    }
    bool hidden = random() % 8 < hidden_of_eight;
    ASSERT_EQ(fast.use(page, hidden), slow.use(page)) << "at step " << step;
  }
}

TEST(Tlb, AgreesWithAPlainOne) {
  for (SetGeometry geometry :
       {SetGeometry{1, 1}, SetGeometry{1, 2}, SetGeometry{1, 64}, SetGeometry{16, 4}, SetGeometry{3, 5},
        SetGeometry{16, 6}, SetGeometry{64, 1}, SetGeometry{1, 300}}) {
    for (unsigned hidden : {0u, 4u, 8u}) {
      SCOPED_TRACE(testing::Message()
                   << geometry.sets << " sets of " << geometry.ways << ", hidden " << hidden);
      ASSERT_NO_FATAL_FAILURE(compare(geometry, hidden));
    }
  }
}

TEST(Tlb, ManyPagesOfABucketAreFound) {
  FilteredTlb tlb({1, 1024});
  for (uint64_t i = 0; i < 1024; ++i) EXPECT_FALSE(tlb.use(i << 20, false));
  for (uint64_t i = 0; i < 1024; ++i) EXPECT_TRUE(tlb.use(i << 20, true));
  EXPECT_FALSE(tlb.use(uint64_t{1} << 34, false));
  EXPECT_FALSE(tlb.use(0, false)) << "the page that was not used the longest has left";
}

}  // namespace
}  // namespace hm::model
