// SPDX-License-Identifier: MIT
#include "pmu/soft/guest/page_sizes.h"

namespace hm::soft::guest {

bool PageSizes::walk(uint64_t table, uint64_t address) const {
  constexpr uint64_t kTable = 0x000f'ffff'ffff'f000, kPresent = 1, kIsPage = uint64_t{1} << 7, kEntries = 512;
  constexpr unsigned kTop = 39, kBitsPerLevel = 9, kHugest = 30;
  for (unsigned shift = kTop; shift >= kShift; shift -= kBitsPerLevel) {
    uint64_t entry = load_(table + (address >> shift) % kEntries * sizeof(uint64_t));
    if ((entry & kPresent) == 0) return false;
    if (shift <= kHugest && (entry & kIsPage) != 0) return true;
    table = entry & kTable;
  }
  return false;
}

bool PageSizes::is_large(uint64_t table, uint64_t address) {
  if (table == 0) return false;
  uint64_t number = address >> kShift;
  Known& known = known_[number % kKnown];
  if (known.number != number) known = {number, walk(table, address)};
  return known.is_large;
}

}  // namespace hm::soft::guest
