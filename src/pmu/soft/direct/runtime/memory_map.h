// SPDX-License-Identifier: MIT
// What /proc/self/maps says.
#pragma once

#include <stdint.h>

namespace hm::soft::direct {

struct MappedRange {
  uint64_t start, end, offset, inode;
  uint32_t major, minor;
  uint32_t protection;  // PROT_*
  bool shared;
  const char* path;  // as the kernel names it; empty for anonymous memory
};

// Whether it belongs to the engine.
bool is_engine(const MappedRange& range);

class MemoryMap {
 public:
  // Calls visit(mapping, argument) for each line of /proc/self/maps, in order. False where it cannot be read.
  // For one thread at a time.
  bool for_each(void (*visit)(const MappedRange& mapping, void* argument), void* argument);

 private:
  static constexpr uint32_t kLineBytes = 8192;

  char text_[2 * kLineBytes] = {};
};

}  // namespace hm::soft::direct
