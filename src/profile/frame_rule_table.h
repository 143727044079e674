// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "profile/location_table.h"
#include "profile/lookup.h"

namespace hm::profile {

// The call frame information of a profile's objects, shared by all threads that load its segments.
class FrameRuleTable {
 public:
  FrameRuleTable(const Profile& profile, const symbol::Resolver& resolver) {
    for (uint32_t dso = 0; dso < profile.dsos.size(); ++dso)
      objects_.push_back(object_of(profile, resolver, dso));
  }

  // Returns nullptr if there is no rule for the place; otherwise a pointer valid for the lifetime of the
  // resolver.
  [[nodiscard]] const symbol::FrameRule* at(const DsoOffset& place) const {
    const symbol::Object* object = objects_[place.dso];
    std::optional<uint64_t> address = object == nullptr ? std::nullopt : object->address_of(place.offset);
    return address ? object->frame_rule(*address) : nullptr;
  }

 private:
  std::vector<const symbol::Object*> objects_;  // by row
};

}  // namespace hm::profile
