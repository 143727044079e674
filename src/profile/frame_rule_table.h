// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <optional>
#include <unordered_map>

#include "profile/place_table.h"
#include "symbol/unwind/frame_rules.h"

namespace hm::profile {

// The call frame information of a profile's objects, for all the threads that load its segments.
class FrameRuleTable {
 public:
  // While threads use this nothing else may use the profile's objects.
  explicit FrameRuleTable(const Profile& profile) : profile_(profile) {}

  // nullptr where nothing is said of the place; otherwise valid as long as the table.
  [[nodiscard]] const symbol::FrameRule* at(const Place& place);

 private:
  struct Object {
    symbol::Dso* dso = nullptr;
    std::optional<symbol::FrameRules> rules;  // of an ELF file
  };
  Object& object(uint32_t dso);

  const Profile& profile_;
  std::mutex mutex_;
  std::unordered_map<uint32_t, Object> objects_;
};

}  // namespace hm::profile
