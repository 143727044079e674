// SPDX-License-Identifier: MIT
// Where the functions begin, in this process, inside which threads are collected (Session::functions).
// Freestanding.
#pragma once

#include <stdint.h>

#include "pmu/soft/events/elf_functions.h"
#include "pmu/soft/events/function_names.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

inline bool limits_functions(const Session& session) { return session.function_count != 0; }

// One thread at a time changes it; others may ask meanwhile.
class FunctionEntries {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  // What of a file is mapped, and where.
  struct Piece {
    uint64_t start;
    uint64_t bytes;
    uint64_t file_offset;
  };

  // Takes those functions of the file whose code is in the piece.
  void add_file(Session& session, const ElfFunctions& file, const Piece& piece) {
    file.for_each([&](const char* name, uint64_t address) {
      uint32_t function = find_wanted(session, name);
      uint64_t offset = 0;
      if (function == kNone || !file.offset_of(address, offset) || offset < piece.file_offset ||
          offset - piece.file_offset >= piece.bytes)
        return;
      add(piece.start + (offset - piece.file_offset), function);
      __atomic_store_n(&session.functions[function].found, 1u, __ATOMIC_RELAXED);
    });
  }

  // [start, end) is other memory from now on.
  void forget(uint64_t start, uint64_t end) {
    for (uint32_t i = 0; i < count_; ++i) {
      if (entries_[i].address >= start && entries_[i].address < end)
        __atomic_store_n(&entries_[i].address, uint64_t{0}, __ATOMIC_RELAXED);
    }
  }

  // Of the session's functions the one that begins at `address`; kNone where none does.
  [[nodiscard]] uint32_t function_at(uint64_t address) const {
    uint32_t count = address == 0 ? 0 : __atomic_load_n(&count_, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count; ++i) {
      if (__atomic_load_n(&entries_[i].address, __ATOMIC_RELAXED) == address) return entries_[i].function;
    }
    return kNone;
  }

  // A stay begins at `address`. False where no function does.
  bool enter(Session& session, uint64_t address) const {
    uint32_t function = function_at(address);
    if (function == kNone) return false;
    __atomic_fetch_add(&session.functions[function].entered, 1, __ATOMIC_RELAXED);
    return true;
  }

 private:
  struct Entry {
    uint64_t address;  // 0: free
    uint32_t function;
  };
  static constexpr uint32_t kMost = 256;  // of overloads and copies in several libraries

  static uint32_t find_wanted(const Session& session, const char* name) {
    for (uint32_t i = 0; i < session.function_count && i < kMaxFunctions; ++i) {
      if (names_function(name, session.functions[i].name)) return i;
    }
    return kNone;
  }

  void add(uint64_t address, uint32_t function) {
    if (function_at(address) != kNone) return;
    uint32_t place = 0;
    while (place < count_ && entries_[place].address != 0) ++place;
    if (place == kMost) return;
    entries_[place].function = function;
    __atomic_store_n(&entries_[place].address, address, __ATOMIC_RELEASE);
    if (place == count_) __atomic_store_n(&count_, place + 1, __ATOMIC_RELEASE);
  }

  Entry entries_[kMost] = {};
  uint32_t count_ = 0;
};

}  // namespace hm::soft
