// SPDX-License-Identifier: MIT
// The entry addresses, in this process, of the functions that a session selects: those inside which threads
// are collected (Session::functions), and allocators (allocators.h). Freestanding.
#pragma once

#include <stdint.h>

#include "pmu/soft/ring/session_layout.h"
#include "pmu/soft/sampling/elf_functions.h"
#include "pmu/soft/sampling/function_names.h"

namespace hm::soft {

inline bool limits_functions(const Session& session) { return session.function_count != 0; }

// Functions by their entry addresses. Only one thread at a time may change the table; others may read it
// concurrently.
class EntryTable {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  // A mapped part of a file, and its address.
  struct Piece {
    uint64_t start;
    uint64_t bytes;
    uint64_t file_offset;
  };

  // Adds the file's functions that lie in the piece and for which find(name) does not return kNone. Calls
  // found(number) for each.
  template <typename Find, typename Found>
  void add_file(const ElfFunctions& file, const Piece& piece, Find find, Found found) {
    file.for_each([&](const char* name, uint64_t address) {
      uint32_t function = find(name);
      uint64_t offset = 0;
      if (function == kNone || !file.offset_of(address, offset) || offset < piece.file_offset ||
          offset - piece.file_offset >= piece.bytes)
        return;
      add(piece.start + (offset - piece.file_offset), function);
      found(function);
    });
  }

  // Removes the functions that begin in [start, end), because the memory has been replaced.
  void forget(uint64_t start, uint64_t end) {
    for (uint32_t i = 0; i < count_; ++i) {
      if (entries_[i].address >= start && entries_[i].address < end)
        __atomic_store_n(&entries_[i].address, uint64_t{0}, __ATOMIC_RELAXED);
    }
  }

  // Returns the function that begins at `address`, or kNone.
  [[nodiscard]] uint32_t function_at(uint64_t address) const {
    if ((__atomic_load_n(&filter_[word_of(address)], __ATOMIC_RELAXED) & bit_of(address)) == 0) return kNone;
    uint32_t count = address == 0 ? 0 : __atomic_load_n(&count_, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count; ++i) {
      if (__atomic_load_n(&entries_[i].address, __ATOMIC_RELAXED) == address) return entries_[i].function;
    }
    return kNone;
  }

 private:
  struct Entry {
    uint64_t address;  // 0: free
    uint32_t function;
  };
  static constexpr uint32_t kMost = 256;  // overloads and copies in several libraries count separately

  // Most addresses have no bit in the filter, and need no search.
  static constexpr unsigned kFilterWords = 32;
  static uint64_t hash(uint64_t address) { return address * 0x9e3779b97f4a7c15 >> 53; }
  static uint64_t word_of(uint64_t address) { return hash(address) % kFilterWords; }
  static uint64_t bit_of(uint64_t address) { return uint64_t{1} << hash(address) / kFilterWords; }

  void add(uint64_t address, uint32_t function) {
    if (function_at(address) != kNone) return;
    uint32_t place = 0;
    while (place < count_ && entries_[place].address != 0) ++place;
    if (place == kMost) return;
    entries_[place].function = function;
    __atomic_store_n(&entries_[place].address, address, __ATOMIC_RELEASE);
    if (place == count_) __atomic_store_n(&count_, place + 1, __ATOMIC_RELEASE);
    __atomic_fetch_or(&filter_[word_of(address)], bit_of(address), __ATOMIC_RELEASE);
  }

  Entry entries_[kMost] = {};
  uint32_t count_ = 0;
  uint64_t filter_[kFilterWords] = {};
};

// The functions inside which threads are collected.
class FunctionEntries : public EntryTable {
 public:
  void add_file(Session& session, const ElfFunctions& file, const Piece& piece) {
    EntryTable::add_file(
        file, piece, [&](const char* name) { return find_wanted(session, name); },
        [&](uint32_t function) {
          __atomic_store_n(&session.functions[function].found, 1u, __ATOMIC_RELAXED);
        });
  }

  // Counts an activation that begins at `address`. Returns false if no function begins there.
  bool enter(Session& session, uint64_t address) const {
    uint32_t function = function_at(address);
    if (function == kNone) return false;
    __atomic_fetch_add(&session.functions[function].entered, 1, __ATOMIC_RELAXED);
    return true;
  }

 private:
  static uint32_t find_wanted(const Session& session, const char* name) {
    for (uint32_t i = 0; i < session.function_count && i < kMaxFunctions; ++i) {
      if (names_function(name, session.functions[i].name)) return i;
    }
    return kNone;
  }
};

}  // namespace hm::soft
