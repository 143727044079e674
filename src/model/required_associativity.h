// SPDX-License-Identifier: MIT
// Computes the part of a cache that a page's lines map to, and how many ways each part needs to hold given
// pages. This is the required associativity of Ogawa and Hiraki, "An Estimation for CPU cache usage condition
// with TLB Information", figures 3 and 4. Freestanding.
#pragma once

#include <stdint.h>

#include "model/geometry.h"

namespace hm::model {

// A cache divided into regions. A region consists of the sets that one page's lines map to. For single lines
// instead of pages, a region is a set.
class CacheRegions {
 public:
  CacheRegions() = default;

  // Whether all pages have the same regions: the number of sets is a multiple of a page's lines, or vice
  // versa.
  static constexpr bool fits(SetGeometry cache, uint32_t line_bytes, uint64_t page_bytes) {
    if (!cache.present() || line_bytes == 0 || page_bytes % line_bytes != 0 || page_bytes == 0) return false;
    uint64_t lines = page_bytes / line_bytes;
    return cache.sets % lines == 0 || (lines % cache.sets == 0 && lines / cache.sets <= UINT32_MAX);
  }

  // Requires fits().
  CacheRegions(SetGeometry cache, uint32_t line_bytes, uint64_t page_bytes) {
    uint64_t lines = page_bytes / line_bytes;
    count_ = lines < cache.sets ? static_cast<uint32_t>(cache.sets / lines) : 1;
    ways_of_page_ = lines > cache.sets ? static_cast<uint32_t>(lines / cache.sets) : 1;
  }

  [[nodiscard]] uint32_t count() const { return count_; }
  // `page` is a page number: an address divided by the page size. With a physical address the region is the
  // page's colour.
  [[nodiscard]] uint32_t region_of(uint64_t page) const { return static_cast<uint32_t>(page % count_); }
  // Returns how many ways a page takes: more than one if it is larger than a way of the cache.
  [[nodiscard]] uint32_t ways_of_page() const { return ways_of_page_; }

  // Sets `ways`, count() numbers, to the number of ways that each region needs to hold all of `pages`.
  void require(const uint64_t* pages, uint64_t page_count, uint32_t* ways) const {
    for (uint32_t i = 0; i < count_; ++i) ways[i] = 0;
    for (uint64_t i = 0; i < page_count; ++i) ways[region_of(pages[i])] += ways_of_page_;
  }

 private:
  uint32_t count_ = 1;
  uint32_t ways_of_page_ = 1;
};

}  // namespace hm::model
