// SPDX-License-Identifier: MIT
// The simulation of Ogawa and Hiraki, "An Estimation for CPU cache usage condition with TLB Information":
// feeds one stream of fetches and data accesses to caches with several numbers of sets, and TLBs with several
// page sizes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/lru_sets.h"
#include "model/required_associativity.h"
#include "model/stack_distances.h"
#include "model/test_storage.h"

namespace hm::tlb_paper {

// Figure 5 of the paper.
inline constexpr unsigned kLineShift = 6;
inline constexpr uint32_t kWays = 16;
inline constexpr std::array<uint32_t, 8> kSets{128, 256, 512, 1024, 2048, 4096, 8192, 16384};
inline constexpr std::array<unsigned, 8> kPageShifts{10, 11, 12, 13, 14, 15, 16, 17};  // 1 to 128 KiB
inline constexpr size_t kMaxEntries = 128;

// The most recent distinct pages, which a fully associative LRU TLB contains.
class PageList {
 public:
  void use(uint64_t page) {
    if (count_ != 0 && pages_[0] == page) return;
    size_t at = 1;
    while (at < count_ && pages_[at] != page) ++at;
    if (at >= count_) {
      count_ = count_ < kMaxEntries ? count_ + 1 : count_;
      at = count_ - 1;
    }
    for (; at > 0; --at) pages_[at] = pages_[at - 1];
    pages_[0] = page;
  }
  // Returns at most `most` pages, the most recent first.
  [[nodiscard]] std::vector<uint64_t> pages(size_t most) const {
    return {pages_.begin(), pages_.begin() + static_cast<ptrdiff_t>(std::min(most, count_))};
  }

 private:
  std::array<uint64_t, kMaxEntries> pages_{};
  size_t count_ = 0;
};

// Hits by group of sets and by depth. A group has the sets of 1 KiB of addresses, the smallest page.
using GroupHits = std::vector<std::array<uint64_t, kWays>>;

class Simulation {
 public:
  Simulation();

  // Processes an access to the line that contains `address`.
  void access(uint64_t address, bool is_fetch);

  // Returns the pages of 2^shift bytes in the TLB: unified for fetches and data, or split with half the
  // entries each.
  [[nodiscard]] std::vector<uint64_t> tlb(size_t page_size, size_t entries, bool split) const;
  // Returns, for each page, whether one of its lines is among the `ways` most recent ones of its set, in the
  // cache of kSets[sets].
  [[nodiscard]] std::vector<bool> cached(size_t sets, size_t page_size, uint32_t ways,
                                         const std::vector<uint64_t>& pages) const;
  // Returns the hits since forget_hits(), in the cache of kSets[sets], by region and depth.
  [[nodiscard]] std::vector<std::array<uint64_t, kWays>> hits(size_t sets, size_t page_size) const;
  void forget_hits();

 private:
  static constexpr unsigned kGroupShift = kPageShifts[0] - kLineShift;  // sets of a group, log2
  static constexpr uint32_t kGroups = kSets.back() >> kGroupShift;

  model::Storage memory_;
  model::CompactNumbers numbers_;
  std::array<model::LruSets<uint32_t>, kSets.size()> caches_;
  // By number of sets: the hits of depth > 0, by group of that cache; and the hits of depth 0 that have a
  // greater depth with fewer sets, by group of the largest cache.
  std::array<GroupHits, kSets.size()> deep_hits_;
  std::array<std::vector<uint64_t>, kSets.size()> first_hits_;
  struct Tlbs {
    PageList all, fetches, data;
  };
  std::array<Tlbs, kPageShifts.size()> tlbs_;
};

}  // namespace hm::tlb_paper
