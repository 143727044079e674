// SPDX-License-Identifier: MIT
// Finds, in a core's touch table (core.h), the lines that touching copies have used since some tick. The
// parts of the table that belong to the program's mappings are searched as far as they have memory: a
// sixteenth of what the program itself uses.
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
  uint32_t page;  // of a line that was fetched: the offset of its CodePage from the core; 0: loaded or stored
};

struct TouchedLines {
  const TouchedLine* first;
  uint32_t count;
};

class TouchTables {
 public:
  constexpr TouchTables(const Plan& plan, Cores& cores, CodePageTable& code_pages)
      : plan_(plan), cores_(cores), code_pages_(code_pages) {}

  // Before the first find(). False if there is no memory.
  bool prepare();

  // The program's mappings are no longer what they were. Any thread may call it.
  void doubt_mappings() { __atomic_store_n(&mappings_known_, false, __ATOMIC_RELAXED); }

  // [start, end) has been mapped, and is so no longer. One thread at a time may call this or find().
  void note_unmapped(uint64_t start, uint64_t end);

  // The lines that the core has touched behind the tick `since`, the least recent first; valid until the next
  // call. At most kMostTicks before the core's tick.
  TouchedLines find(Core& core, uint64_t since);

 private:
  static constexpr uint32_t kMostLines = 8u << 20;
  static constexpr uint64_t kMostTicks = uint64_t{1} << 28;

  void learn_mappings();
  void add_former(uint64_t start, uint64_t end);
  void give_back(Core& core, const Range& range) const;
  void add(const MappedRange& range);
  void search(Core& core, uint64_t start, uint64_t end);
  void search_former(Core& core);
  void search_stamps(TouchStamp* stamps, uint32_t count, uint64_t first_line, uint32_t page);
  void sort();

  const Plan& plan_;
  Cores& cores_;
  CodePageTable& code_pages_;
  MemoryMap maps_;
  bool mappings_known_ = false;
  Ranges mappings_;
  Ranges former_;  // mapped since the last find() or before it, and no longer
  TouchedLine* lines_ = nullptr;
  TouchedLine* sorted_ = nullptr;
  uint32_t count_ = 0;
  TouchStamp now_ = 0;
  uint32_t window_ = 0;  // in ticks, before `now_`
  bool forgets_old_ = false;
};

}  // namespace hm::soft::direct
