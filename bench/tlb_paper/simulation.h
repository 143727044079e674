// SPDX-License-Identifier: MIT
// The simulation of Ogawa and Hiraki, "An Estimation for CPU cache usage condition with TLB Information": one
// stream of fetches and data accesses through caches of several numbers of sets, and TLBs of several page
// sizes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/lru_sets.h"
#include "model/required_associativity.h"
#include "model/stack_distances.h"
#include "model/test_storage.h"

namespace hm::tlb_paper {

// Its figure 5.
inline constexpr unsigned kLineShift = 6;
inline constexpr uint32_t kWays = 16;
inline constexpr std::array<uint32_t, 8> kSets{128, 256, 512, 1024, 2048, 4096, 8192, 16384};
inline constexpr std::array<unsigned, 8> kPageShifts{10, 11, 12, 13, 14, 15, 16, 17};  // 1 to 128 KiB
inline constexpr size_t kMostEntries = 128;

// The most recent distinct pages, as a fully associative LRU TLB holds them.
class PageList {
 public:
  void use(uint64_t page) {
    if (count_ != 0 && pages_[0] == page) return;
    size_t at = 1;
    while (at < count_ && pages_[at] != page) ++at;
    if (at >= count_) {
      count_ = count_ < kMostEntries ? count_ + 1 : count_;
      at = count_ - 1;
    }
    for (; at > 0; --at) pages_[at] = pages_[at - 1];
    pages_[0] = page;
  }
  // At most `most`, the most recent first.
  [[nodiscard]] std::vector<uint64_t> pages(size_t most) const {
    return {pages_.begin(), pages_.begin() + static_cast<ptrdiff_t>(std::min(most, count_))};
  }

 private:
  std::array<uint64_t, kMostEntries> pages_{};
  size_t count_ = 0;
};

// Hits by group of sets and by depth; a group has the sets of 1 KiB of addresses, the smallest page.
using GroupHits = std::vector<std::array<uint64_t, kWays>>;

class Simulation {
 public:
  Simulation();

  // An access to the line that holds `address`.
  void access(uint64_t address, bool is_fetch);

  // The pages of 2^shift bytes that the TLB holds: of fetches and data, or of each by itself, half the
  // entries each.
  [[nodiscard]] std::vector<uint64_t> tlb(size_t page_size, size_t entries, bool split) const;
  // Whether a line of the page is among the `ways` most recent ones of its set, in the cache of kSets[sets].
  [[nodiscard]] std::vector<bool> cached(size_t sets, size_t page_size, uint32_t ways,
                                         const std::vector<uint64_t>& pages) const;
  // Hits since the last time it was asked, in the cache of kSets[sets], by region and depth.
  [[nodiscard]] std::vector<std::array<uint64_t, kWays>> hits(size_t sets, size_t page_size) const;
  void forget_hits();

 private:
  static constexpr unsigned kGroupShift = kPageShifts[0] - kLineShift;  // sets of a group, log2
  static constexpr uint32_t kGroups = kSets.back() >> kGroupShift;

  model::Storage memory_;
  model::CompactNumbers numbers_;
  std::array<model::LruSets<uint32_t>, kSets.size()> caches_;
  // By number of sets: hits of depth > 0 by group of that cache; and those that were the most recent of their
  // set first with so many sets, by group of the largest cache.
  std::array<GroupHits, kSets.size()> deep_hits_;
  std::array<std::vector<uint64_t>, kSets.size()> first_hits_;
  struct Tlbs {
    PageList all, fetches, data;
  };
  std::array<Tlbs, kPageShifts.size()> tlbs_;
};

}  // namespace hm::tlb_paper
