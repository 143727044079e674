// SPDX-License-Identifier: MIT
// Measures the latency of cache levels and of memory again and again: other users of a shared cache, or of
// the memory's bandwidth, raise it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "host/chase_ring.h"
#include "host/host_caches.h"
#include "host/page_buffer.h"

namespace hm::host {

// What to chase through: half of each cache from the second level on, and for memory four times the last
// cache.
struct WatchedLevel {
  std::string name;  // "L2", "L3", "memory"
  uint64_t bytes = 0;
  bool is_cache = false;
};

// `max_bytes` bounds the memory. Without caches, the result is memory alone; memory is
// left out if the bound is below twice the last cache.
[[nodiscard]] std::vector<WatchedLevel> watched_levels(const std::vector<HostCache>& caches,
                                                       uint64_t max_bytes);

class LatencyWatch {
 public:
  // Allocates the memory. Fails with kIo if there is none.
  static Result<LatencyWatch> begin(const std::vector<WatchedLevel>& levels);

  // Returns nanoseconds for one load of each level. The lines of a cache are visited once before they are
  // timed, so that the time is that of now, and not of what others evicted between two readings. Takes about
  // 30 ms a level.
  [[nodiscard]] std::vector<double> read();

 private:
  struct Watched {
    PageBuffer memory;
    ChaseRing ring;
    const ChaseNode* at;
    bool is_cache;
  };
  LatencyWatch() = default;

  std::vector<Watched> levels_;
};

}  // namespace hm::host
