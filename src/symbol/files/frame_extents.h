// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "symbol/files/elf_module.h"
#include "symbol/files/extent.h"
#include "symbol/files/frame_table.h"

namespace hm::symbol {

// Start and end of an object's functions and of the parts that a compiler split off, from its unwind tables;
// stripped files have them, too. Thread-safe.
class FrameExtents {
 public:
  // Uses the lookup table of .eh_frame (symbol/files/frame_table.h). Without a table, as in static programs,
  // reads all of .eh_frame. `module` must outlive this object.
  explicit FrameExtents(const ElfModule& module);

  // Returns the range that covers `address`; nullopt if there is none, or if its description has an unusual
  // form.
  [[nodiscard]] std::optional<Extent> at(uint64_t address) const;
  // Returns the start of the first range above `address`.
  [[nodiscard]] std::optional<uint64_t> next_start(uint64_t address) const;

 private:
  [[nodiscard]] std::optional<Extent> described(const FrameTable::Entry& entry) const;

  const ElfModule& module_;
  std::optional<FrameTable> table_;
  std::vector<Extent> listed_;  // sorted by start; used if there is no table
};

}  // namespace hm::symbol
