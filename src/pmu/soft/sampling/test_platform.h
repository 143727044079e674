// SPDX-License-Identifier: MIT
// For tests: the platform of heap_layer.h, also freestanding.
#pragma once

#include <stdint.h>

#include "pmu/soft/ring/system_call.h"

namespace hm::soft {

struct TestPlatform {
  class Lock {
   public:
    void lock() {
      while (__atomic_exchange_n(&held_, true, __ATOMIC_ACQUIRE)) {
      }
    }
    void unlock() { __atomic_store_n(&held_, false, __ATOMIC_RELEASE); }
    void reset() { held_ = false; }

   private:
    bool held_ = false;
  };

  static inline uint64_t mapped_bytes = 0;
  static inline bool refuses = false;

  static void* map_pages(uint64_t bytes) {
    constexpr int64_t kSysMmap = 9, kReadWrite = 3, kPrivateAnonymousNoReserve = 0x4022;
    if (refuses) return nullptr;
    mapped_bytes += bytes;
    int64_t pages =
        system_call(kSysMmap, 0, static_cast<int64_t>(bytes), kReadWrite, kPrivateAnonymousNoReserve, -1, 0);
    return failed(pages) ? nullptr : reinterpret_cast<void*>(pages);
  }
};

}  // namespace hm::soft
