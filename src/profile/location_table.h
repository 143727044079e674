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

// Code address within an object file, as a key.
struct DsoOffset {
  uint32_t dso = 0;
  uint64_t offset = 0;  // in the object, like Location::offset
  bool operator==(const DsoOffset&) const = default;
};

struct DsoOffsetHash {
  size_t operator()(const DsoOffset& address) const {
    return std::hash<uint64_t>()((address.offset + address.dso) * 0x9e3779b97f4a7c15);
  }
};

// Numbers the addresses from 0, in order of appearance.
class DsoOffsetNumbers {
 public:
  uint32_t number(const DsoOffset& address) {
    auto [found, is_new] = numbers_.try_emplace(address, static_cast<uint32_t>(addresses_.size()));
    if (is_new) addresses_.push_back(address);
    return found->second;
  }
  [[nodiscard]] const std::vector<DsoOffset>& addresses() const { return addresses_; }

 private:
  std::unordered_map<DsoOffset, uint32_t, DsoOffsetHash> numbers_;
  std::vector<DsoOffset> addresses_;
};

// Assigns rows in the profile to objects, to addresses in them and to functions, one for each distinct one.
class LocationTable {
 public:
  // Row 0 of the objects becomes "[unknown]".
  LocationTable(Profile& profile, const symbol::Resolver& resolver);

  // `state` and `process` are stored in the row.
  uint32_t dso(const std::string& path, const std::string& build_id, FileState state = FileState::kSame,
               const ProcessMapping& process = {});
  uint32_t location(const DsoOffset& address);
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
  DsoOffsetNumbers locations_;
  DsoOffsetNumbers functions_;  // keyed by start address
  std::unordered_map<std::string, uint32_t> dsos_;
};

}  // namespace hm::profile
