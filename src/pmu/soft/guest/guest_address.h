// SPDX-License-Identifier: MIT
// Addresses of a guest for the models. Addresses in user mode are distinct for each address space. Those of
// the kernel are equal in all of them, because its pages are global. TLB entries thus have process-context
// identifiers (Intel SDM volume 3, section 4.10.1).
#pragma once

#include <stdint.h>

namespace hm::soft::guest {

class GuestAddress {
 public:
  // `space`: the page table's base address (CR3).
  static constexpr uint64_t tagged(uint64_t address, uint64_t space) {
    if (is_kernel(address)) return address & kCanonical;
    return (address & kCanonical) | (space >> kPageShift & kTags) << kTagShift;
  }
  // Returns the guest's own address.
  static constexpr uint64_t untagged(uint64_t tagged) {
    uint64_t address = tagged & kCanonical;
    return (address >> (kBits - 1) & 1) != 0 ? address | ~kCanonical : address;
  }
  static constexpr bool is_kernel(uint64_t address) { return address >> 63 != 0; }

 private:
  static constexpr unsigned kBits = 48, kTagShift = 48, kPageShift = 12;
  static constexpr uint64_t kCanonical = (uint64_t{1} << kBits) - 1, kTags = 0xffff;
};

}  // namespace hm::soft::guest
