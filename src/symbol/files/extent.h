// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace hm::symbol {

// A range of code: [start, start + size), addresses in the object.
struct Extent {
  uint64_t start = 0;
  uint64_t size = 0;
  [[nodiscard]] bool holds(uint64_t address) const { return address - start < size; }
};

}  // namespace hm::symbol
