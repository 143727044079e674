// SPDX-License-Identifier: MIT
// Which of the target's memory is executable: from /proc/self/maps at its start, and from its own system
// calls since then.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/ranges.h"

namespace hm::soft::direct {

// The end of the executable memory that holds `address`; 0 where there is none.
uint64_t executable_end(uint64_t address);

// The first piece of executable memory in [start, end); an empty one where there is none.
Range first_executable(uint64_t start, uint64_t end);

// [start, end) has a new protection: `executable`, and `writable` too.
void set_executable(uint64_t start, uint64_t end, bool executable, bool writable);

// Of a page: whether the target may both write to it and run it; whether the engine write-protects it, to
// notice changes of code.
bool is_writable_code(uint64_t page);
bool is_watched(uint64_t page);
void set_watched(uint64_t page, bool watched);

struct MappedRange {
  uint64_t start, end, offset, inode;
  uint32_t major, minor;
  uint32_t protection;  // PROT_*
  bool shared;
  const char* path;  // as the kernel names it; empty for anonymous memory
};

// Whether it belongs to the engine.
bool is_engine(const MappedRange& range);

// Calls visit(mapping) for each line of /proc/self/maps, in order. False where it cannot be read.
bool for_each_mapping(void (*visit)(const MappedRange& mapping, void* argument), void* argument);

}  // namespace hm::soft::direct
