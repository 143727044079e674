// SPDX-License-Identifier: MIT
#include "profile/frame_rule_table.h"

namespace hm::profile {

const symbol::FrameRule* FrameRuleTable::at(const Place& place) {
  std::scoped_lock lock(mutex_);
  Object& found = object(place.dso);
  if (!found.rules) return nullptr;
  std::optional<uint64_t> address = found.dso->address_of(place.offset);
  return address ? found.rules->at(*address) : nullptr;
}

FrameRuleTable::Object& FrameRuleTable::object(uint32_t dso) {
  auto [found, is_new] = objects_.try_emplace(dso);
  if (!is_new) return found->second;
  symbol::Dso* object = profile_.object(dso);
  if (object != nullptr && object->elf() != nullptr) {
    found->second.dso = object;
    found->second.rules.emplace(*object->elf());
  }
  return found->second;
}

}  // namespace hm::profile
