// SPDX-License-Identifier: MIT
// The numbers of allocation sites. A site is a call of an allocator from one call site, on one path
// (calling_path.h) and at one depth of the stack. If a call site has too many of these, its depths are no
// longer distinguished. If that does not suffice, all its further paths are one site. Thread-safe.
// Freestanding.
#pragma once

#include <stdint.h>

#include "base/thread_safety.h"
#include "pmu/soft/sampling/heap_layer.h"

namespace hm::soft {

template <HeapPlatform Platform>
class HeapSites {
 public:
  static constexpr uint32_t kMaxSites = 65536;
  static constexpr uint32_t kMaxReturns = 65536;
  static constexpr uint32_t kMaxDepths = 64;  // per call site: paths with depths
  static constexpr uint32_t kMaxPaths = 256;  // per call site: paths with depths, and paths without

  bool begin() {
    entries_ = static_cast<Entry*>(Platform::map_pages(kPlaces * sizeof(Entry)));
    return entries_ != nullptr;
  }

  // How an allocator was called. `depth`: bytes of the thread's stack; `path`: any number.
  struct Call {
    uint64_t return_address;
    uint64_t path;
    uint64_t depth;
  };

  // Returns the site of the call; 0 if there are too many. Before any call from a call site gets a number,
  // calls watch(return_address) once. make(any_depth) provides an unused number: for this depth, or for all
  // further depths or paths.
  template <typename Watch, typename Make>
  uint32_t site_of(const Call& call, Watch watch, Make make) {
    if (call.return_address == 0 || call.return_address >> kAddressBits != 0) return 0;
    uint64_t key = key_of(call, call.depth + 1), any_depth = key_of(call, 0);
    if (Found known = find(key); known.is_there) return known.entry->number;
    if (Found known = find(any_depth); known.is_there) return known.entry->number;
    if (uint32_t any_path = any_path_of(call.return_address); any_path != 0) return any_path;
    LockGuard<Lock> guard(lock_);
    Found place_found = find(call.return_address);
    Entry* place = place_found.entry;
    if (!place_found.is_there) {
      if (returns_ == kMaxReturns) return 0;
      ++returns_;
      publish(*place, call.return_address, 0);
      watch(call.return_address);
    }
    Found exact = find(key);  // another thread may have been here first
    if (exact.is_there) return exact.entry->number;
    if (may_have_more(*place, kMaxDepths)) return add(*place, *exact.entry, key, make(false));
    Found path = find(any_depth);
    if (path.is_there) return path.entry->number;
    if (may_have_more(*place, kMaxPaths)) return add(*place, *path.entry, any_depth, make(true));
    if (place->number == 0) __atomic_store_n(&place->number, make(true), __ATOMIC_RELEASE);
    return place->number;
  }

  // Whether an allocator has been called with this return address.
  [[nodiscard]] bool is_return(uint64_t address) const {
    if (entries_ == nullptr || address == 0 || address >> kAddressBits != 0) return false;
    return find(address).is_there;
  }

  template <typename Visit>
  void for_each_lock(Visit&& visit) {
    visit(lock_);
  }

 private:
  using Lock = typename Platform::Lock;

  static constexpr unsigned kAddressBits = 47, kPlaceBits = 19;
  static constexpr uint32_t kPlaces = 1u << kPlaceBits;
  static_assert(kMaxSites + kMaxReturns <= kPlaces / 2);

  struct Entry {
    uint64_t key;     // 0: free; of a call site: its return address; of a site: key_of
    uint32_t number;  // of a call site: the number of its further paths; 0 while it may have more sites
    uint32_t sites;   // of a call site: number of its sites
  };

  // Differs from every call site's key, which has fewer bits.
  static uint64_t key_of(const Call& call, uint64_t depth) {
    constexpr uint64_t kFactor = 0x9e3779b97f4a7c15;
    uint64_t hash = (call.return_address * kFactor ^ call.path) * kFactor ^ depth * kFactor;
    return hash | uint64_t{1} << 63;
  }

  [[nodiscard]] uint32_t any_path_of(uint64_t return_address) const {
    Found place = find(return_address);
    return place.is_there ? __atomic_load_n(&place.entry->number, __ATOMIC_ACQUIRE) : 0;
  }

  [[nodiscard]] bool may_have_more(const Entry& place, uint32_t most) const HM_REQUIRES(lock_) {
    return place.sites < most && sites_ < kMaxSites;
  }
  uint32_t add(Entry& place, Entry& site, uint64_t key, uint32_t number) HM_REQUIRES(lock_) {
    ++place.sites;
    ++sites_;
    publish(site, key, number);
    return number;
  }

  // The entry with this key, or the free entry to put it in. Entries are never removed. `is_there` is from a
  // single read, because another thread may publish the entry meanwhile.
  struct Found {
    Entry* entry;
    bool is_there;
  };
  [[nodiscard]] Found find(uint64_t key) const {
    uint64_t place = key * 0x9e3779b97f4a7c15 >> (64 - kPlaceBits);
    while (true) {
      uint64_t there = __atomic_load_n(&entries_[place].key, __ATOMIC_ACQUIRE);
      if (there == key || there == 0) return {&entries_[place], there == key};
      place = (place + 1) % kPlaces;
    }
  }
  static void publish(Entry& place, uint64_t key, uint32_t number) {
    place.number = number;
    __atomic_store_n(&place.key, key, __ATOMIC_RELEASE);
  }

  Entry* entries_ = nullptr;
  uint32_t sites_ HM_GUARDED_BY(lock_) = 0;
  uint32_t returns_ HM_GUARDED_BY(lock_) = 0;
  Lock lock_;
};

}  // namespace hm::soft
