// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/host_caches.h"

namespace hm::host {

// How much memory to use so that one level serves most accesses.
struct LevelSize {
  std::string name;
  uint64_t bytes = 0;        // a power of two
  uint64_t cache_bytes = 0;  // of the cache; 0 for memory
};

// Returns a size for each cache that holds data, and one for memory, which is at most `max_bytes`. A cache's
// size is far above that of the cache before it, and not larger than needed: in a virtual machine others may
// use most of a shared cache.
[[nodiscard]] std::vector<LevelSize> level_sizes(const std::vector<HostCache>& caches, uint64_t max_bytes);

}  // namespace hm::host
