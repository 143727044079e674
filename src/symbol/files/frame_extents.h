// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "symbol/files/elf_module.h"
#include "symbol/files/extent.h"
#include "symbol/files/frame_table.h"

namespace hm::symbol {

// Where an object's functions, and the parts that a compiler split off, begin and end, by its unwind tables:
// also a stripped file has them. Safe to use from several threads.
class FrameExtents {
 public:
  // Of the table that leads into .eh_frame (symbol/files/frame_table.h); where there is none, as in static
  // programs, all of .eh_frame is gone through. `module` must live as long.
  explicit FrameExtents(const ElfModule& module);

  // What covers `address`; nullopt where nothing does, or where its description is not of the usual form.
  [[nodiscard]] std::optional<Extent> at(uint64_t address) const;
  // Where the first one above `address` begins.
  [[nodiscard]] std::optional<uint64_t> next_start(uint64_t address) const;

 private:
  [[nodiscard]] std::optional<Extent> described(const FrameTable::Entry& entry) const;

  const ElfModule& module_;
  std::optional<FrameTable> table_;
  std::vector<Extent> listed_;  // by start, where there is no table
};

}  // namespace hm::symbol
