// SPDX-License-Identifier: MIT
// What accesses meet. Freestanding.
#pragma once

#include <stdint.h>

#include "record/extension.h"

namespace hm::model {

using record::MissClass;

enum class Translation : uint32_t { kFirstTlb, kSecondTlb, kPageWalk };
enum class Level : uint32_t { kL1, kL2, kL3, kMemory };

// What another core had of a line when this one asked for it.
enum class Snoop : uint8_t { kNone, kClean, kModified };

// What one access to one line met, and why it missed: of the first level only where another core is the
// reason, of the rest Machine::data_class() tells. What another core gives is of the third level.
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

// What an access met: over two lines or pages, the sum of their misses, the slower of their levels, and of
// the first line that missed a level why it did. Counts of one width: a host core forwards a store to a load
// only where the load does not span several stores.
struct Outcome {
  Level level = Level::kL1;
  Translation translation = Translation::kFirstTlb;
  uint32_t l1_misses = 0;
  uint32_t l2_misses = 0;
  uint32_t l3_misses = 0;
  uint32_t tlb_misses = 0;
  uint32_t lines = 0;
  uint32_t latency_cycles = 0;
  uint32_t first_missed = 0;  // of its lines that missed the first level, the number
  Snoop snoop = Snoop::kNone;
  [[nodiscard]] bool plain_hit() const { return l1_misses == 0 && tlb_misses == 0; }

  MissClass l1_class = MissClass::kNone;  // until someone asks, only what cannot be capacity or conflict
  MissClass l2_class = MissClass::kNone;
  MissClass l3_class = MissClass::kNone;
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
