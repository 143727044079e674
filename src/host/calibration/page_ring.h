// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "host/chase_ring.h"

namespace hm::host {

// A random cycle through one line of each 4 KiB page: needs many translations and few cache lines.
class PageRing {
 public:
  // Uses `pages` pages of the memory; a page's line is one further than that of the page before, so that the
  // lines lie in different sets of a cache. The memory must hold (pages + 1) * 4096 bytes and begin at a
  // page.
  PageRing(std::span<std::byte> memory, uint32_t pages);

  // Executes at least `loads` dependent loads, and returns their number.
  uint64_t run(uint64_t loads);

 private:
  const ChaseNode* at_;
};

}  // namespace hm::host
