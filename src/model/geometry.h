// SPDX-License-Identifier: MIT
// The modelled machine's shape. Freestanding plain data: the recorder writes it, the engines read it.
#pragma once

#include <stdint.h>

namespace hm::model {

constexpr unsigned log2_of(uint64_t power_of_two) {
  return static_cast<unsigned>(__builtin_ctzll(power_of_two));
}

// A set-associative memory of cache lines (or, in a TLB, of pages): sets * ways entries, true LRU in each
// set.
struct SetGeometry {
  uint32_t sets = 0;
  uint32_t ways = 0;

  [[nodiscard]] constexpr bool present() const { return sets != 0; }
  [[nodiscard]] constexpr uint64_t entries() const { return uint64_t{sets} * ways; }
};

// User addresses on x86-64 have at most 47 bits, so a line number (lines of 32 bytes or more) has at most 42
// and a page number (4 KiB or more) at most 35.
inline constexpr unsigned kAddressBits = 47;
inline constexpr unsigned kLineNumberBits = 42;
inline constexpr unsigned kPageNumberBits = 35;

inline constexpr uint32_t kMaxCacheWays = 32;
inline constexpr uint32_t kMaxTlbWays = 1024;
inline constexpr uint32_t kMaxL1Places = 3840;          // lines of data or of instructions: 240 KiB
inline constexpr uint32_t kMaxFirstTlbEntries = 16384;  // of data or of instructions

// Whether a first-level cache fits the engines' tables, which have an even number of slots per row.
constexpr bool is_modelled_l1(SetGeometry cache) {
  return uint64_t{cache.sets} * ((cache.ways + 1) & ~1u) <= kMaxL1Places;
}

// Cycles from issue to use by the data's level, for the cost model. They are stated assumptions about the
// modelled machine, not measurements of this machine.
struct Latencies {
  uint32_t l1 = 4;
  uint32_t l2 = 14;
  uint32_t l3 = 50;
  uint32_t memory = 200;
  uint32_t second_tlb = 7;  // added if the first-level TLB missed and the second had the page
  uint32_t page_walk = 30;  // added if no TLB had the page
  uint32_t mispredict = 15;
};

struct MachineGeometry {
  uint32_t line_bytes = 64;
  uint32_t page_bytes = 4096;
  SetGeometry l1i;  // absent: code is not modelled
  SetGeometry l1d;
  SetGeometry l2;
  SetGeometry l3;  // absent: L2 is the last level
  SetGeometry itlb;
  SetGeometry dtlb;
  SetGeometry second_tlb;  // for instructions and data; absent: a first-level miss walks the page table
  Latencies latency;
  bool physical = false;  // L2 and L3 are indexed by physical addresses, as far as known

  // Whether fetches are modelled; if not, no level and no TLB holds code.
  [[nodiscard]] constexpr bool models_code() const { return l1i.present(); }
};

}  // namespace hm::model
