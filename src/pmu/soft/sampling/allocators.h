// SPDX-License-Identifier: MIT
// Functions that allocate and free memory: what their arguments and results mean. Freestanding.
#pragma once

#include <stdint.h>

#include "pmu/soft/ring/session_layout.h"
#include "pmu/soft/sampling/function_entries.h"

namespace hm::soft {

enum class AllocatorKind : uint8_t {
  kAllocate,    // returns a block
  kReallocate,  // returns a block in place of the one that is its first argument
  kFree,        // its first argument is a block
  kPlace,       // stores the block's address where its first argument points, and returns 0
};

// Arguments by number, from 1 as people count them; 0: none. A block's size is the product of the two.
struct Allocator {
  AllocatorKind kind;
  uint8_t size_argument;
  uint8_t count_argument;
  bool named;  // by the user
};

// Numbers of allocators: those that are known everywhere, then the session's own.
inline constexpr uint32_t kNoAllocator = ~uint32_t{0};

inline bool observes_heap(const Session& session) { return session.heap_blocks != 0; }

// The number of the function with this symbol, or kNoAllocator. Allocators that the user has named are
// matched by function_names.h's rules.
uint32_t find_allocator(const Session& session, const char* symbol);
Allocator allocator_at(const Session& session, uint32_t number);
// Notes in the session that a program or library has the allocator, if the user has named it.
void note_found(Session& session, uint32_t number);

// Where they begin.
class AllocatorEntries : public EntryTable {
 public:
  static_assert(kNone == kNoAllocator);

  void add_file(Session& session, const ElfFunctions& file, const Piece& piece) {
    EntryTable::add_file(
        file, piece, [&](const char* name) { return find_allocator(session, name); },
        [&](uint32_t number) { note_found(session, number); });
  }
};

}  // namespace hm::soft
