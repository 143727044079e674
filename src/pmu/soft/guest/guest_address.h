// SPDX-License-Identifier: MIT
// Addresses of a guest for the models. Addresses in user mode are distinct for each address space. Those of
// the kernel are equal in all of them, because its pages are global. TLB entries thus have process-context
// identifiers (Intel SDM volume 3, section 4.10.1). The kernel's addresses in large pages have the models'
// mark of them (model/tagged_pages.h).
#pragma once

#include <stdint.h>

#include "model/tagged_pages.h"

namespace hm::soft::guest {

class GuestAddress {
 public:
  // `space`: a number of the address space, modulo kSpaces.
  static constexpr uint64_t of_program(uint64_t address, uint64_t space) {
    return (address & kCanonical) | space % kSpaces << kBits;
  }
  static constexpr uint64_t of_kernel(uint64_t address, bool is_in_large_page) {
    return (address & kCanonical) | uint64_t{is_in_large_page} << model::kLargePageMark;
  }
  // Returns the guest's own address.
  static constexpr uint64_t untagged(uint64_t tagged) {
    uint64_t address = tagged & kCanonical;
    return (address >> (kBits - 1) & 1) != 0 ? address | ~kCanonical : address;
  }
  static constexpr bool is_kernel(uint64_t address) { return address >> 63 != 0; }

  static constexpr uint64_t kSpaces = uint64_t{1} << 15;

 private:
  static constexpr unsigned kBits = 48;
  static constexpr uint64_t kCanonical = (uint64_t{1} << kBits) - 1;
};

}  // namespace hm::soft::guest
