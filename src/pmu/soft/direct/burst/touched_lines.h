// SPDX-License-Identifier: MIT
// Finds, in a core's touch table (core.h), the lines that touching copies have used since a given tick.
// Searches the resident pages of the table that belong to the program's mappings. The table takes a sixteenth
// of the memory that the program itself uses.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/runtime/memory_map.h"
#include "pmu/soft/direct/runtime/ranges.h"
#include "pmu/soft/direct/schedule/cores.h"

namespace hm::soft::direct {

struct TouchedLine {
  uint64_t line;
  uint32_t ticks_ago;
  uint32_t page;  // for a fetched line, the offset of its CodePage from the core; 0: the line was loaded or
                  // stored
};

struct TouchedLines {
  const TouchedLine* first;
  uint32_t count, data_count;  // all, and those that were loaded or stored
};

class TouchTables {
 public:
  constexpr TouchTables(const Plan& plan, Cores& cores, CodePageTable& code_pages)
      : plan_(plan), cores_(cores), code_pages_(code_pages) {}

  // Called before the first find(). Returns false if there is no memory.
  bool prepare();

  // Called when the program's mappings have changed, by any thread.
  void doubt_mappings() { __atomic_store_n(&mappings_known_, false, __ATOMIC_RELAXED); }

  // Called when [start, end), which was mapped, has been unmapped. Only one thread at a time may call this
  // function or find().
  void note_unmapped(uint64_t start, uint64_t end);

  // Returns the lines that the core has touched after the tick `since`, at most kMaxTicks ago, least recent
  // first. The result is valid until the next call.
  TouchedLines find(Core& core, uint64_t since);

  static constexpr uint64_t kMaxTicks = uint64_t{1} << 29;

 private:
  static constexpr uint32_t kMaxLines = 8u << 20;

  void learn_mappings();
  void add_former(uint64_t start, uint64_t end);
  void give_back(Core& core, const Range& range) const;
  void add(const MappedRange& range);
  void search(Core& core, uint64_t start, uint64_t end);
  void search_resident(TouchStamp* table, const Range& part);
  void search_former(Core& core);
  void search_stamps(TouchStamp* stamps, uint32_t count, uint64_t first_line, uint32_t page);
  void forget_old(TouchStamp* stamps, uint32_t count) const;
  void sort();

  // Lines are sorted by ticks_ago, the greatest first, to a precision of one part in 128: the order of
  // neighbours matters only if they are recent.
  static constexpr unsigned kPreciseBits = 8, kDigits = (32 - kPreciseBits + 2) << (kPreciseBits - 1);
  static unsigned digit_of(const TouchedLine& line) {
    unsigned bits = 32 - static_cast<unsigned>(__builtin_clz(line.ticks_ago | 1));
    unsigned shift = bits > kPreciseBits ? bits - kPreciseBits : 0;
    return kDigits - 1 - ((shift << (kPreciseBits - 1)) + (line.ticks_ago >> shift));
  }

  const Plan& plan_;
  Cores& cores_;
  CodePageTable& code_pages_;
  MemoryMap maps_;
  bool mappings_known_ = false;
  Ranges mappings_;
  Ranges former_;  // memory that was mapped at the last find() or later, and no longer is
  TouchedLine* lines_ = nullptr;
  TouchedLine* sorted_ = nullptr;
  uint32_t count_ = 0, data_count_ = 0;
  uint32_t places_[kDigits] = {};  // number of lines by digit; in sort(), the next place for each digit
  TouchStamp now_ = 0;
  uint32_t window_ = 0;  // search window in ticks, up to `now_`
  bool forgets_old_ = false;
};

}  // namespace hm::soft::direct
