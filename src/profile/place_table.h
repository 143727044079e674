// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::profile {

struct Place {
  uint32_t dso = 0;
  uint64_t offset = 0;  // in the object, like Location::offset
  bool operator==(const Place&) const = default;
};

struct PlaceHash {
  size_t operator()(const Place& place) const {
    return std::hash<uint64_t>()((place.offset + place.dso) * 0x9e3779b97f4a7c15);
  }
};

// Numbers places from 0, in order of appearance.
class PlaceNumbers {
 public:
  uint32_t number(const Place& place) {
    auto [found, is_new] = numbers_.try_emplace(place, static_cast<uint32_t>(places_.size()));
    if (is_new) places_.push_back(place);
    return found->second;
  }
  [[nodiscard]] const std::vector<Place>& places() const { return places_; }

 private:
  std::unordered_map<Place, uint32_t, PlaceHash> numbers_;
  std::vector<Place> places_;
};

// Assigns rows in the profile to objects, to places in them and to functions, one for each distinct one.
class PlaceTable {
 public:
  // Row 0 of the objects becomes "[unknown]".
  PlaceTable(Profile& profile, const symbol::Resolver& resolver);

  // `state` and `process` are stored in the row.
  uint32_t dso(const std::string& path, const std::string& build_id, FileState state = FileState::kSame,
               const ProcessMapping& process = {});
  uint32_t location(const Place& place);
  // Finds the function of each location by its symbol, or else by the unwind tables. Adds a problem for each
  // object with unusable symbols.
  void look_up_functions();

 private:
  void look_up(Location& location);
  // Adds a note if code is not for x86-64.
  void add_processors(const std::vector<bool>& looked_at);
  void add_problems(const std::vector<bool>& looked_at);
  uint32_t function(FunctionRow row);

  Profile& profile_;
  const symbol::Resolver& resolver_;
  PlaceNumbers locations_;
  PlaceNumbers functions_;  // keyed by start address
  std::unordered_map<std::string, uint32_t> dsos_;
};

}  // namespace hm::profile
