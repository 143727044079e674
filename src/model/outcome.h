// SPDX-License-Identifier: MIT
// Outcomes of accesses: levels, misses and their classes. Freestanding.
#pragma once

#include <stdint.h>

#include "record/extension.h"

namespace hm::model {

using record::MissClass;

enum class Translation : uint32_t { kFirstTlb, kSecondTlb, kPageWalk };
enum class Level : uint32_t { kL1, kL2, kL3, kMemory };

// State of a line in another core when this core requested it.
enum class Snoop : uint8_t { kNone, kClean, kModified };

// The outcome of one access to one line, with the classes of its misses. `l1_class` is set only if another
// core is the reason; otherwise Machine::data_class() returns the class. A line from another core counts as
// found in the third level.
struct LineOutcome {
  Level level = Level::kL1;
  Translation translation = Translation::kFirstTlb;
  MissClass l1_class = MissClass::kNone;
  MissClass l2_class = MissClass::kNone;
  MissClass l3_class = MissClass::kNone;
  Snoop snoop = Snoop::kNone;
  // Of a hit of the third level: the line's quarter of its set in the order of last uses, from 0, the latest.
  // 0 if processes share the level.
  uint8_t l3_quarter = 0;

  [[nodiscard]] bool plain_hit() const {
    return level == Level::kL1 && translation == Translation::kFirstTlb;
  }
};

// The outcome of an access. Over several lines or pages, it has the sum of their misses, the slowest of their
// levels, and the class of the first line that missed a level. All counts have the same width, because a host
// core forwards a store to a load only if the load does not span several stores.
struct Outcome {
  Level level = Level::kL1;
  Translation translation = Translation::kFirstTlb;
  uint32_t l1_misses = 0;
  uint32_t l2_misses = 0;
  uint32_t l3_misses = 0;
  uint32_t tlb_misses = 0;
  uint32_t lines = 0;
  uint32_t latency_cycles = 0;
  uint32_t first_missed = 0;  // index, within the access, of its first line that missed the first level
  Snoop snoop = Snoop::kNone;
  [[nodiscard]] bool plain_hit() const { return l1_misses == 0 && tlb_misses == 0; }

  // Adds the outcome of the access's line `i`, except the latency.
  void add(const Outcome& line, uint32_t i) {
    if (l1_misses == 0) {
      first_missed = i;
      l1_class = line.l1_class;
    }
    if (line.level > level) level = line.level;
    if (line.snoop > snoop) snoop = line.snoop;
    if (line.l3_quarter > l3_quarter) l3_quarter = line.l3_quarter;
    if (line.translation > translation) translation = line.translation;
    l1_misses += line.l1_misses;
    l2_misses += line.l2_misses;
    l3_misses += line.l3_misses;
    tlb_misses += line.tlb_misses;
    lines += line.lines;
    if (l2_class == MissClass::kNone) l2_class = line.l2_class;
    if (l3_class == MissClass::kNone) l3_class = line.l3_class;
  }

  MissClass l1_class = MissClass::kNone;  // capacity and conflict only after Machine::data_class()
  MissClass l2_class = MissClass::kNone;
  MissClass l3_class = MissClass::kNone;
  uint8_t l3_quarter = 0;
};

// Returns the outcome of an access to one line.
inline Outcome outcome_of_line(LineOutcome met, bool missed_l3, uint32_t latency_cycles) {
  Outcome outcome;
  outcome.level = met.level;
  outcome.translation = met.translation;
  outcome.l1_misses = met.level != Level::kL1;
  outcome.l2_misses = met.level > Level::kL2;
  outcome.l3_misses = missed_l3;
  outcome.tlb_misses = met.translation != Translation::kFirstTlb;
  outcome.lines = 1;
  outcome.latency_cycles = latency_cycles;
  outcome.snoop = met.snoop;
  outcome.l1_class = met.l1_class == MissClass::kNone && met.l2_class == MissClass::kCompulsory
                         ? MissClass::kCompulsory
                         : met.l1_class;
  outcome.l2_class = met.l2_class;
  outcome.l3_class = met.l3_class;
  outcome.l3_quarter = met.l3_quarter;
  return outcome;
}

// The bytes of a line that are used: [from, end), limited to the line.
struct LineUse {
  uint64_t from;
  uint64_t end;
  bool writes;

  // Returns one bit for each used 64th of the line.
  [[nodiscard]] uint64_t bits(unsigned line_shift) const {
    constexpr uint64_t kAll = ~uint64_t{0};
    uint64_t last = (end - 1) << 6 >> line_shift;
    uint64_t up_to_last = last >= 63 ? kAll : (uint64_t{2} << last) - 1;
    return up_to_last & kAll << (from << 6 >> line_shift);
  }
};

}  // namespace hm::model
