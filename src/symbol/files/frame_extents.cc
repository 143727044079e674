// SPDX-License-Identifier: MIT
#include "symbol/files/frame_extents.h"

#include <algorithm>

#include "symbol/files/frame_section.h"

namespace hm::symbol {
namespace {

std::vector<Extent> list_extents(const ElfModule& module) {
  std::vector<Extent> extents;
  std::optional<FrameSection> section = FrameSection::find(module.elf(), ".eh_frame");
  if (!section) return extents;
  (void)section->for_each([&](const FrameEntry& entry) {
    if (entry.code && entry.code->size != 0) extents.push_back(*entry.code);
    return true;
  });
  std::ranges::stable_sort(extents, {}, &Extent::start);
  return extents;
}

}  // namespace

FrameExtents::FrameExtents(const ElfModule& module) : module_(module), table_(FrameTable::of(module)) {
  if (table_ && table_->size() != 0) return;
  table_.reset();
  if (module.is_x86_64()) listed_ = list_extents(module);
}

std::optional<Extent> FrameExtents::at(uint64_t address) const {
  std::optional<Extent> found;
  if (table_) {
    std::optional<FrameTable::Entry> entry = table_->find(address);
    if (entry) found = described(*entry);
  } else if (auto after = std::ranges::upper_bound(listed_, address, {}, &Extent::start);
             after != listed_.begin()) {
    found = *std::prev(after);
  }
  return found && found->holds(address) ? found : std::nullopt;
}

std::optional<Extent> FrameExtents::described(const FrameTable::Entry& entry) const {
  // Layout: length, distance to the CIE, start of the code relative to this field, size of the code.
  constexpr uint64_t kStartAt = 8;
  ByteReader in(module_.bytes_at(entry.description, kStartAt + 8));
  in.skip(kStartAt);
  uint64_t start = entry.description + kStartAt + signed4(in);
  Extent extent{start, in.u32()};
  // The start is stored twice. If both values agree, the start, and thus the size, has the usual encoding.
  return in.ok() && start == entry.code ? std::optional(extent) : std::nullopt;
}

std::optional<uint64_t> FrameExtents::next_start(uint64_t address) const {
  if (table_) return table_->next(address);
  auto after = std::ranges::upper_bound(listed_, address, {}, &Extent::start);
  return after == listed_.end() ? std::nullopt : std::optional(after->start);
}

}  // namespace hm::symbol
