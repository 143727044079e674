// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "record/reader.h"
#include "symbol/resolver.h"

namespace hm::profile {

class Profile;

// Which code of a just-in-time compiler lay at an address when: code may take the place of other code.
class ReplacedCode {
 public:
  explicit ReplacedCode(const std::vector<symbol::CodeLoad>& loads);

  // The address in the object (symbol::CodeLoad::address) of the code that was loaded last before that time,
  // or of the first code there if the time is before that. `address` itself if there never was code.
  [[nodiscard]] uint64_t address_at(uint64_t address, uint64_t time_ns) const;
  // True if some address had several codes.
  [[nodiscard]] bool has_replaced() const { return has_replaced_; }

 private:
  struct Entry {
    uint64_t time_ns;
    uint64_t shift;  // from an address in the process to one in the object
  };
  // Addresses that no edge of loaded code divides, and what was loaded there, in order of time.
  struct Piece {
    uint64_t end;
    std::vector<Entry> entries;
  };
  std::map<uint64_t, Piece> pieces_;  // by start
  bool has_replaced_ = false;
};

// The replaced code of all dumps of just-in-time compilers that a recording names.
class JitCode {
 public:
  // Times of samples are compared with those of the loads if both are CLOCK_MONOTONIC's; otherwise the last
  // code counts, and a note of the profile says so.
  JitCode(const record::Reader& reader, const symbol::Resolver& resolver, Profile& profile);

  [[nodiscard]] bool empty() const { return by_dso_.empty(); }
  // nullptr if the object has no code that was replaced.
  [[nodiscard]] const ReplacedCode* of(uint32_t dso) const;

 private:
  std::unordered_map<uint32_t, ReplacedCode> by_dso_;
};

}  // namespace hm::profile
