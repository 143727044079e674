// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "profile/profile.h"

namespace hm::profile {

// Gives objects and places in them their numbers, one for each distinct one.
class PlaceTable {
 public:
  // Row 0 of the objects becomes "[unknown]".
  explicit PlaceTable(Profile& profile);

  uint32_t dso(const std::string& path, const std::string& build_id);
  uint32_t location(uint32_t dso, uint64_t offset);
  // Finds the function of each location, by its symbol; objects whose symbols cannot be used become problems.
  void look_up_functions();

 private:
  struct Place {
    uint32_t dso;
    uint64_t offset;
    bool operator==(const Place&) const = default;
  };
  struct PlaceHash {
    size_t operator()(const Place& place) const {
      return std::hash<uint64_t>()(place.offset * 0x9e3779b97f4a7c15 + place.dso);
    }
  };

  void look_up(Location& location);
  uint32_t function(FunctionRow row);

  Profile& profile_;
  std::unordered_map<std::string, uint32_t> dsos_;
  std::unordered_map<Place, uint32_t, PlaceHash> locations_;
  std::unordered_map<Place, uint32_t, PlaceHash> functions_;  // by where they start
};

}  // namespace hm::profile
