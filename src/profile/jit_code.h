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

// Tracks which code of a just-in-time compiler was at an address at what time: later code may replace earlier
// code.
class ReplacedCode {
 public:
  explicit ReplacedCode(const std::vector<symbol::CodeLoad>& loads);

  // Returns the address in the object (symbol::CodeLoad::address) of the code loaded last before that time,
  // or of the first code there if the time is earlier. Returns `address` itself if no code was ever loaded
  // there.
  [[nodiscard]] uint64_t address_at(uint64_t address, uint64_t time_ns) const;
  // Returns true if at least one address had several pieces of code.
  [[nodiscard]] bool has_replaced() const { return has_replaced_; }

 private:
  struct Entry {
    uint64_t time_ns;
    uint64_t shift;  // difference between the address in the object and that in the process
  };
  // An address range within which loaded code has no boundaries, and the code loaded there in order of time.
  struct Piece {
    uint64_t end;
    std::vector<Entry> entries;
  };
  std::map<uint64_t, Piece> pieces_;  // by start
  bool has_replaced_ = false;
};

// The replaced code of all dumps by just-in-time compilers that a recording names.
class JitCode {
 public:
  // Compares times of samples with those of the loads if both use CLOCK_MONOTONIC. Otherwise the code loaded
  // last is used, and a note of the profile reports this.
  JitCode(const record::Reader& reader, const symbol::Resolver& resolver, Profile& profile);

  [[nodiscard]] bool empty() const { return by_dso_.empty(); }
  // Returns nullptr if no code of the object was replaced.
  [[nodiscard]] const ReplacedCode* of(uint32_t dso) const;

 private:
  std::unordered_map<uint32_t, ReplacedCode> by_dso_;
};

}  // namespace hm::profile
