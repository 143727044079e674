// SPDX-License-Identifier: MIT
// What one access to one line met. Freestanding.
#pragma once

#include <stdint.h>

#include "record/extension.h"

namespace hm::model {

using record::MissClass;

enum class Translation : uint32_t { kFirstTlb, kSecondTlb, kPageWalk };
enum class Level : uint32_t { kL1, kL2, kL3, kMemory };

// What another core had of a line when this one asked for it.
enum class Snoop : uint8_t { kNone, kClean, kModified };

// Below the first level, and where another core is the reason, why it missed: of the rest of the first
// level, first_level_class() tells. What another core gives is of the third level.
struct LineOutcome {
  Level level = Level::kL1;
  Translation translation = Translation::kFirstTlb;
  MissClass l1_class = MissClass::kNone;
  MissClass l2_class = MissClass::kNone;
  MissClass l3_class = MissClass::kNone;
  Snoop snoop = Snoop::kNone;

  [[nodiscard]] bool plain_hit() const {
    return level == Level::kL1 && translation == Translation::kFirstTlb;
  }
};

// Bytes [from, end) of a line, as far as they are in it, are used.
struct LineUse {
  uint64_t from;
  uint64_t end;
  bool writes;

  // A bit for each 64th of the line.
  [[nodiscard]] uint64_t bits(unsigned line_shift) const {
    constexpr uint64_t kAll = ~uint64_t{0};
    uint64_t last = (end - 1) << 6 >> line_shift;
    uint64_t up_to_last = last >= 63 ? kAll : (uint64_t{2} << last) - 1;
    return up_to_last & kAll << (from << 6 >> line_shift);
  }
};

}  // namespace hm::model
