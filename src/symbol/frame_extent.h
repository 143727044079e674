// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "symbol/elf_module.h"

namespace hm::symbol {

// Some code: [start, start + size), addresses in the object.
struct Extent {
  uint64_t start = 0;
  uint64_t size = 0;
  [[nodiscard]] bool holds(uint64_t address) const { return address - start < size; }
};

// The function, or part of one, that the unwind table's frame description around `address` describes: also a
// stripped file has it. nullopt where none covers the address, or where the table is not of the usual form
// (symbol/frame_table.h).
[[nodiscard]] std::optional<Extent> frame_extent(const ElfModule& module, uint64_t address);

}  // namespace hm::symbol
