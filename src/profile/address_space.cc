// SPDX-License-Identifier: MIT
#include "profile/address_space.h"

#include <iterator>

namespace hm::profile {

size_t AddressSpace::add(const Mapping& mapping) {
  if (mapping.end <= mapping.start) return 0;
  size_t copied = 0;
  if (mappings_ == nullptr) {
    mappings_ = std::make_shared<ByStart>();
  } else if (mappings_.use_count() > 1) {
    copied = mappings_->size();
    mappings_ = std::make_shared<ByStart>(*mappings_);
  }
  cut(*mappings_, mapping.start, mapping.end);
  mappings_->emplace(mapping.start, mapping);
  return copied;
}

// Removes [start, end) from the mappings. The parts of a mapping outside this range stay.
void AddressSpace::cut(ByStart& mappings, uint64_t start, uint64_t end) {
  auto next = mappings.lower_bound(start);
  if (next != mappings.begin() && std::prev(next)->second.end > start) --next;
  while (next != mappings.end() && next->second.start < end) {
    Mapping old = next->second;
    next = mappings.erase(next);
    Mapping before = old, behind = old;
    before.end = start;
    behind.start = end;
    behind.offset += end - old.start;
    if (old.start < start) mappings.emplace(old.start, before);
    if (old.end > end) mappings.emplace(end, behind);
  }
}

const Mapping* AddressSpace::at_or_below(uint64_t address) const {
  if (mappings_ == nullptr) return nullptr;
  auto after = mappings_->upper_bound(address);
  return after == mappings_->begin() ? nullptr : &std::prev(after)->second;
}

const Mapping* AddressSpace::above(uint64_t address) const {
  if (mappings_ == nullptr) return nullptr;
  auto after = mappings_->upper_bound(address);
  return after == mappings_->end() ? nullptr : &after->second;
}

const Mapping* AddressSpace::find(uint64_t address) const {
  const Mapping* mapping = at_or_below(address);
  return mapping != nullptr && address < mapping->end ? mapping : nullptr;
}

}  // namespace hm::profile
