// SPDX-License-Identifier: MIT
// Functions that allocate and free memory: the meaning of their arguments and results. Freestanding.
#pragma once

#include <stdint.h>

#include "pmu/soft/ring/session_layout.h"
#include "pmu/soft/sampling/function_entries.h"

namespace hm::soft {

enum class AllocatorKind : uint8_t {
  kAllocate,    // returns a block
  kReallocate,  // returns a block that replaces the block in its first argument
  kFree,        // its first argument is a block
  kPlace,       // stores the block's address at its first argument, and returns 0
};

// Argument numbers start at 1; 0: no such argument. A block's size is the product of size and count.
struct Allocator {
  AllocatorKind kind;
  uint8_t size_argument;
  uint8_t count_argument;
  bool named;  // by the user
};

// Numbers of allocators: first the built-in ones, then the session's own.
inline constexpr uint32_t kNoAllocator = ~uint32_t{0};

inline bool observes_heap(const Session& session) { return session.heap_blocks != 0; }

// Returns the number of the function with this symbol, or kNoAllocator. Allocators that the user named are
// matched by function_names.h's rules.
uint32_t find_allocator(const Session& session, const char* symbol);
Allocator allocator_at(const Session& session, uint32_t number);
// Records in the session that a program or library has the allocator, if the user named it.
void note_found(Session& session, uint32_t number);

// Maps entry addresses to allocators.
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
