// SPDX-License-Identifier: MIT
// The numbers of allocation sites. A site is a call of an allocator from one place and at one depth of the
// stack: that distinguishes the paths to it as well as is possible without walking the stack. Where there are
// too many, all further depths of a place are one site. Threads may use it at the same time. Freestanding.
#pragma once

#include <stdint.h>

#include "pmu/soft/sampling/heap_layer.h"

namespace hm::soft {

template <HeapPlatform Platform>
class HeapSites {
 public:
  static constexpr uint32_t kMostSites = 65536;
  static constexpr uint32_t kMostReturns = 65536;
  static constexpr uint32_t kMostDepths = 64;  // of one place

  bool begin() {
    entries_ = static_cast<Entry*>(Platform::map_pages(kPlaces * sizeof(Entry)));
    return entries_ != nullptr;
  }

  // The site of the call that returns to `return_address`, at `depth` bytes of the thread's stack; 0 where
  // there are too many. For the first call from there, watch(return_address) is called before any call from
  // there gets a number. make(any_depth) provides an unused number: for this depth, or for all depths without
  // one.
  template <typename Watch, typename Make>
  uint32_t site_of(uint64_t return_address, uint64_t depth, Watch watch, Make make) {
    if (return_address == 0 || return_address >> kAddressBits != 0) return 0;
    uint64_t key = key_of(return_address, depth);
    const Entry* known = find(key);
    if (known->key == key) return known->number;
    LockGuard<Lock> guard(lock_);
    Entry* place = find(key_of_any(return_address));
    if (place->key == 0) {
      if (returns_ == kMostReturns) return 0;
      ++returns_;
      publish(*place, key_of_any(return_address), 0);
      watch(return_address);
    }
    Entry* exact = find(key);  // another thread may have been here first
    if (exact->key == key) return exact->number;
    if (place->depths < kMostDepths && sites_ < kMostSites) {
      ++place->depths;
      ++sites_;
      publish(*exact, key, make(false));
      return exact->number;
    }
    if (place->number == 0) place->number = make(true);
    return place->number;
  }

  // Whether an allocator has been called from there.
  [[nodiscard]] bool is_return(uint64_t address) const {
    if (entries_ == nullptr || address == 0 || address >> kAddressBits != 0) return false;
    uint64_t key = key_of_any(address);
    return find(key)->key == key;
  }

  void lock_for_fork() { lock_.lock(); }
  void unlock_after_fork() { lock_.unlock(); }
  void reset_lock() { lock_.reset(); }

 private:
  using Lock = typename Platform::Lock;

  static constexpr unsigned kAddressBits = 47, kPlaceBits = 19;
  static constexpr uint32_t kPlaces = 1u << kPlaceBits;
  static_assert(kMostSites + kMostReturns <= kPlaces / 2);

  struct Entry {
    uint64_t key;  // 0: free
    uint32_t number;
    uint32_t depths;  // of an entry for any depth: how many others there are
  };

  // At a call the stack pointer is a multiple of 16 bytes. Depths beyond a megabyte are told apart less well.
  static uint64_t key_of(uint64_t return_address, uint64_t depth) {
    return (depth / 16 % 0xffff + 1) << kAddressBits | return_address;
  }
  static uint64_t key_of_any(uint64_t return_address) { return return_address; }

  // The entry with this key, or the free one where it would be put. Nothing is ever removed.
  [[nodiscard]] Entry* find(uint64_t key) const {
    uint64_t place = key * 0x9e3779b97f4a7c15 >> (64 - kPlaceBits);
    while (true) {
      uint64_t there = __atomic_load_n(&entries_[place].key, __ATOMIC_ACQUIRE);
      if (there == key || there == 0) return &entries_[place];
      place = (place + 1) % kPlaces;
    }
  }
  static void publish(Entry& place, uint64_t key, uint32_t number) {
    place.number = number;
    __atomic_store_n(&place.key, key, __ATOMIC_RELEASE);
  }

  Entry* entries_ = nullptr;
  uint32_t sites_ = 0;
  uint32_t returns_ = 0;
  Lock lock_;
};

}  // namespace hm::soft
