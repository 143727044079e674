// SPDX-License-Identifier: MIT
// The last stores, as the memory order buffer holds them, and the loads that it would have to replay.
// Freestanding. Rules: Intel 64 and IA-32 Optimization Reference Manual, "Store forwarding" and "4-KByte
// aliasing".
#pragma once

#include <stdint.h>

namespace hm::model {

class StoreBuffer {
 public:
  static constexpr uint32_t kEntries = 56;
  // A store this many instructions old has left the buffer.
  static constexpr uint64_t kLifetimeInstructions = 64;

  enum class Match : uint8_t { kNothing, kForwarded, kBlocked, kAlias };

  void store(uint64_t address, uint32_t bytes, uint64_t instruction) {
    entries_[next_++ % kEntries] = {address, bytes, instruction};
  }

  // Searches from the youngest store to the oldest. A load inside one store is forwarded. A load that
  // overlaps a store partially is blocked until that store is in the cache. A load with low 12 bits that
  // overlap a store to another page is treated as dependent.
  [[nodiscard]] Match load(uint64_t address, uint32_t bytes, uint64_t instruction) const {
    for (uint32_t age = 1; age <= kEntries && age <= next_; ++age) {
      const Entry& store = entries_[(next_ - age) % kEntries];
      if (store.instruction + kLifetimeInstructions < instruction) break;
      if (address < store.address + store.bytes && store.address < address + bytes) {
        bool inside = address >= store.address && address + bytes <= store.address + store.bytes;
        return inside ? Match::kForwarded : Match::kBlocked;
      }
      uint64_t low = address & kAliasMask;
      uint64_t store_low = store.address & kAliasMask;
      if (low < store_low + store.bytes && store_low < low + bytes) return Match::kAlias;
    }
    return Match::kNothing;
  }

 private:
  static constexpr uint64_t kAliasMask = 4095;

  struct Entry {
    uint64_t address;
    uint32_t bytes;
    uint64_t instruction;
  };

  Entry entries_[kEntries] = {};
  uint64_t next_ = 0;
};

}  // namespace hm::model
