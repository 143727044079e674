// SPDX-License-Identifier: MIT
// Reads the process's memory mappings from /proc/thread-self/maps.
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

// Returns true if the range belongs to the engine.
bool is_engine(const MappedRange& range);

class MemoryMap {
 public:
  // Calls visit(mapping, argument) for each line of /proc/thread-self/maps, in order. Returns false if the
  // file cannot be read. One thread at a time.
  bool for_each(void (*visit)(const MappedRange& mapping, void* argument), void* argument);

  // Calls visit(mapping, argument) for each mapping that overlaps [start, end), in order. On Linux 6.11 or
  // later, the cost does not depend on the number of other mappings. Returns false if they cannot be read.
  // One thread at a time.
  bool for_each_in(uint64_t start, uint64_t end, void (*visit)(const MappedRange& mapping, void* argument),
                   void* argument);

 private:
  enum class Query { kFound, kNone, kUnknown };
  Query query(int64_t fd, uint64_t address, MappedRange& found);

  static constexpr uint32_t kLineBytes = 8192;

  char text_[2 * kLineBytes] = {};
};

}  // namespace hm::soft::direct
