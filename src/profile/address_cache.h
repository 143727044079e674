// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hm::profile {

// Direct-mapped cache of lookups by address: a hit costs one load, while the lookup itself walks two tables.
template <typename Value>
class AddressCache {
 public:
  AddressCache() : slots_(kSlots) {}

  // Returns the value for `address` in the address space with this version (NumberedSpace); calls `look_up`
  // if it is not cached.
  template <typename F>
  Value find(uint32_t version, uint64_t address, F&& look_up) {
    uint64_t hash = (address ^ uint64_t{version} << 40) * 0x9e3779b97f4a7c15;
    Slot& slot = slots_[hash >> (64 - kSlotBits)];
    if (slot.address != address || slot.version != version) slot = {address, version, look_up()};
    return slot.value;
  }

 private:
  static constexpr unsigned kSlotBits = 14;
  static constexpr size_t kSlots = size_t{1} << kSlotBits;

  struct Slot {
    uint64_t address = 0;
    uint32_t version = UINT32_MAX;  // matches no address space
    Value value{};
  };

  std::vector<Slot> slots_;
};

}  // namespace hm::profile
