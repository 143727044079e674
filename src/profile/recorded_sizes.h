// SPDX-License-Identifier: MIT
// Simulated misses of caches of all sizes, if the recording contains them (record --sizes).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "record/features.h"

namespace hm::profile {

// Randomly selected accesses to lines that were used again after a certain time, at a certain depth of their
// set.
struct Reuse {
  uint32_t time = 0;       // model::reuse_class
  uint32_t set_count = 0;  // Sizes::sets(set_count)
  uint32_t depth = 0;      // Sizes::ways: misses with any number of ways
  uint64_t count = 0;
};

inline constexpr uint32_t kMinPage = 4096;

// Counts of data accesses over a run: exact, or estimated from a subset of the sets.
struct Sizes {
  uint32_t min_sets = 0;
  uint32_t set_counts = 0;  // number of set counts: min_sets, twice that, ...
  uint32_t ways = 0;        // maximum; from 1 way on
  uint32_t line_bytes = 0;  // line size, or page size for TLBs
  uint64_t accesses = 0;
  uint64_t unplaced_accesses = 0;             // further accesses that could not be simulated
  std::vector<std::vector<uint64_t>> misses;  // indexed by number of sets, and by ways minus 1
  uint64_t cycles = 0;  // total cycles of the run's threads by the cost model; 0: not recorded
  std::optional<std::vector<Reuse>> reuses{};   // nullopt: not recorded
  std::vector<Sizes> further{};                 // for other line sizes, and for pages (TLBs)
  uint32_t one_set_in = 1;                      // one in this many sets was simulated and extrapolated
  std::vector<std::vector<uint64_t>> errors{};  // of `misses`: half-width of a 95 % interval; empty: exact

  // Returns true for estimates from bursts, in which all sets were simulated.
  [[nodiscard]] bool in_bursts() const { return one_set_in == 1 && !errors.empty(); }

  [[nodiscard]] uint32_t sets(uint32_t i) const { return min_sets << i; }
  [[nodiscard]] bool of_pages() const { return line_bytes >= kMinPage; }
  [[nodiscard]] uint64_t bytes(uint32_t i, uint32_t some_ways) const {
    return uint64_t{sets(i)} * some_ways * line_bytes;
  }
};

// Returns nullopt if the recording has no sizes, or invalid ones.
[[nodiscard]] std::optional<Sizes> recorded_sizes(const record::Features& features);

}  // namespace hm::profile
