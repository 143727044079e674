// SPDX-License-Identifier: MIT
// For tests: what an engine brings to heap_layer.h.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstdint>

namespace hm::soft {

struct TestPlatform {
  class Lock {
   public:
    void lock() {
      while (held_.exchange(true, std::memory_order_acquire)) {
      }
    }
    void unlock() { held_.store(false, std::memory_order_release); }
    void reset() { held_ = false; }

   private:
    std::atomic<bool> held_ = false;
  };

  static inline uint64_t mapped_bytes;
  static inline bool refuses;

  static void* map_pages(uint64_t bytes) {
    if (refuses) return nullptr;
    mapped_bytes += bytes;
    void* pages =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return pages == MAP_FAILED ? nullptr : pages;
  }
};

}  // namespace hm::soft
