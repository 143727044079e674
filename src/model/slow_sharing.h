// SPDX-License-Identifier: MIT
// Sharing misses by their definition, for tests.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "model/outcome.h"

namespace hm::model {

// A simple version of the protocol: caches are unlimited, and each byte has its last write.
class SlowSharing {
 public:
  explicit SlowSharing(uint32_t line_bytes) : line_bytes_(line_bytes) {}

  // Returns the class of the access's miss; kNone if it hits.
  MissClass access(uint32_t core, uint64_t address, uint32_t bytes, bool writes) {
    Line& line = lines_[address / line_bytes_];
    bool had_it = line.holders.contains(core);
    std::set<uint32_t> others = line.holders;
    others.erase(core);
    MissClass why = MissClass::kNone;
    if (!had_it) {
      why = !line.lost_at.contains(core) ? MissClass::kCompulsory : MissClass::kFalseSharing;
      for (uint64_t byte = address; byte < address + bytes && why != MissClass::kCompulsory; ++byte) {
        const Write& last = line.writes[byte];
        if (last.time >= line.lost_at[core] && last.core != core) why = MissClass::kTrueSharing;
      }
      if (why != MissClass::kCompulsory) line.last_why = why;
    } else if (writes && !others.empty()) {
      why = line.last_why;
    }
    line.holders.insert(core);
    ++now_;
    if (!writes) return why;
    for (uint64_t byte = address; byte < address + bytes; ++byte) line.writes[byte] = {now_, core};
    for (uint32_t other : others) line.lost_at[other] = now_;
    line.holders = {core};
    return why;
  }

 private:
  struct Write {
    uint64_t time = 0;
    uint32_t core = 0;
  };
  struct Line {
    std::set<uint32_t> holders;
    std::map<uint32_t, uint64_t> lost_at;  // by core
    std::map<uint64_t, Write> writes;      // by byte, the last
    MissClass last_why = MissClass::kSharing;
  };
  uint32_t line_bytes_;
  uint64_t now_ = 0;
  std::map<uint64_t, Line> lines_;
};

}  // namespace hm::model
