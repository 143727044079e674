// SPDX-License-Identifier: MIT
// Which part of a cache a page's lines go to, and how many ways each part needs to hold given pages: the
// required associativity of Ogawa and Hiraki, "An Estimation for CPU cache usage condition with TLB
// Information", figures 3 and
// 4. Freestanding.
#pragma once

#include <stdint.h>

#include "model/geometry.h"

namespace hm::model {

// A cache cut into regions, each of the sets that the lines of one page go to. What is cut off may also be
// single lines: then a region is a set.
class CacheRegions {
 public:
  CacheRegions() = default;

  // Whether regions are the same for all pages: whole pages of sets, or whole rounds of sets in a page.
  static constexpr bool fits(SetGeometry cache, uint32_t line_bytes, uint64_t page_bytes) {
    if (!cache.present() || line_bytes == 0 || page_bytes % line_bytes != 0 || page_bytes == 0) return false;
    uint64_t lines = page_bytes / line_bytes;
    return cache.sets % lines == 0 || (lines % cache.sets == 0 && lines / cache.sets <= UINT32_MAX);
  }

  // fits() must hold.
  CacheRegions(SetGeometry cache, uint32_t line_bytes, uint64_t page_bytes) {
    uint64_t lines = page_bytes / line_bytes;
    count_ = lines < cache.sets ? static_cast<uint32_t>(cache.sets / lines) : 1;
    ways_of_page_ = lines > cache.sets ? static_cast<uint32_t>(lines / cache.sets) : 1;
  }

  [[nodiscard]] uint32_t count() const { return count_; }
  // `page` is a page's number: its address divided by the page's size. With a physical address this is its
  // colour.
  [[nodiscard]] uint32_t region_of(uint64_t page) const { return static_cast<uint32_t>(page % count_); }
  // How many ways a page takes: more than one where it is larger than a way of the cache.
  [[nodiscard]] uint32_t ways_of_page() const { return ways_of_page_; }

  // `ways`, of count() numbers, becomes how many ways each region needs to hold all of `pages`.
  void require(const uint64_t* pages, uint64_t page_count, uint32_t* ways) const {
    for (uint32_t i = 0; i < count_; ++i) ways[i] = 0;
    for (uint64_t i = 0; i < page_count; ++i) ways[region_of(pages[i])] += ways_of_page_;
  }

 private:
  uint32_t count_ = 1;
  uint32_t ways_of_page_ = 1;
};

}  // namespace hm::model
