// SPDX-License-Identifier: MIT
#include "symbol/frame_extent.h"

#include "symbol/frame_table.h"

namespace hm::symbol {

std::optional<Extent> frame_extent(const ElfModule& module, uint64_t address) {
  std::optional<FrameTable> table = FrameTable::of(module);
  std::optional<FrameTable::Entry> entry = table ? table->find(address) : std::nullopt;
  if (!entry) return std::nullopt;
  // Length, the distance to the common part, the code's start relative to where that is written, its size.
  constexpr uint64_t kStartAt = 8;
  ByteReader in(module.bytes_at(entry->description, kStartAt + 8));
  in.skip(kStartAt);
  uint64_t start = entry->description + kStartAt + signed4(in);
  Extent extent{start, in.u32()};
  // The start is said twice: where both agree, it is written the usual way, and so is the size.
  bool sure = in.ok() && start == entry->code && extent.holds(address);
  return sure ? std::optional(extent) : std::nullopt;
}

}  // namespace hm::symbol
