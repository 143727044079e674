// SPDX-License-Identifier: MIT
// Loads in translated code whose address depends on other loads by registers (model/cost/load_sources.h), and
// when the misses of those loads are complete. A load is identified by its site: the address behind its
// call-out. Freestanding.
#pragma once

#include <stdint.h>

namespace hm::soft {

struct AddressSources {
  static constexpr unsigned kMost = 4;
  uint64_t site = 0;          // of the load; 0: unused
  uint64_t from[kMost] = {};  // sites of the loads that give its address, the nearest first; 0: no more
};

// One thread at a time adds; others may look at the same time. A wrong answer is possible then, and costs
// only accuracy.
class AddressSourceTable {
 public:
  static constexpr uint32_t kEntries = 16384;

  constexpr AddressSourceTable() = default;
  explicit AddressSourceTable(AddressSources* entries) : entries_(entries) {}  // kEntries, zeroed

  void add(const AddressSources& sources) {
    if (entries_ == nullptr) return;
    AddressSources& entry = entries_[place_of(sources.site)];
    __atomic_store_n(&entry.site, 0, __ATOMIC_RELEASE);
    for (unsigned i = 0; i < AddressSources::kMost; ++i)
      __atomic_store_n(&entry.from[i], sources.from[i], __ATOMIC_RELEASE);
    __atomic_store_n(&entry.site, sources.site, __ATOMIC_RELEASE);
  }
  // Returns null if the load's address depends on no other load, or if this was forgotten.
  [[nodiscard]] const AddressSources* find(uint64_t site) const {
    if (entries_ == nullptr) return nullptr;
    const AddressSources& entry = entries_[place_of(site)];
    return __atomic_load_n(&entry.site, __ATOMIC_ACQUIRE) == site ? &entry : nullptr;
  }

 private:
  static uint32_t place_of(uint64_t site) { return static_cast<uint32_t>(site ^ site >> 14) % kEntries; }

  AddressSources* entries_ = nullptr;
};

// The last misses of a core, by site.
class MissedSites {
 public:
  void remember(uint64_t site, uint64_t complete) { misses_[site % kRemembered] = {site, complete}; }

  // Returns when the latest of these loads' last misses is complete; 0 if none of them is remembered.
  [[nodiscard]] uint64_t complete_of(const AddressSources& sources) const {
    uint64_t latest = 0;
    for (uint64_t site : sources.from) {
      if (site == 0) break;
      const Miss& miss = misses_[site % kRemembered];
      if (miss.site == site && miss.complete > latest) latest = miss.complete;
    }
    return latest;
  }

 private:
  static constexpr uint32_t kRemembered = 61;  // a prime: sites have common factors

  struct Miss {
    uint64_t site = 0;
    uint64_t complete = 0;
  };
  Miss misses_[kRemembered] = {};
};

}  // namespace hm::soft
