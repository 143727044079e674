// SPDX-License-Identifier: MIT
// The misses of caches of all sizes, which a recording may tell of (record --sizes).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "record/features.h"

namespace hm::profile {

// Accesses whose lines were used again after some time, at some depth of their set; of some chosen at random.
struct Reuse {
  uint32_t time = 0;       // model::reuse_class
  uint32_t set_count = 0;  // Sizes::sets(set_count)
  uint32_t depth = 0;      // Sizes::ways: at no number of ways it hits
  uint64_t count = 0;
};

inline constexpr uint32_t kLeastPage = 4096;

// Counts of a run, of its accesses to data: exact, or estimated from a part of the sets.
struct Sizes {
  uint32_t least_sets = 0;
  uint32_t set_counts = 0;  // least_sets, twice that, ...
  uint32_t ways = 0;        // 1 to so many
  uint32_t line_bytes = 0;  // or of a page
  uint64_t accesses = 0;
  uint64_t unplaced_accesses = 0;             // beside these: nothing is known of them
  std::vector<std::vector<uint64_t>> misses;  // by number of sets, and by ways less 1
  uint64_t cycles = 0;  // that the run's threads took together, by the cost model; 0: not recorded
  std::optional<std::vector<Reuse>> reuses{};   // nullopt: not recorded
  std::vector<Sizes> further{};                 // of lines of other sizes and of pages, which are TLBs
  uint32_t one_set_in = 1;                      // so many was simulated; the others are taken to be like it
  std::vector<std::vector<uint64_t>> errors{};  // of `misses`: half an interval of 95 %; empty: exact

  // From bursts, in which all sets were simulated.
  [[nodiscard]] bool in_bursts() const { return one_set_in == 1 && !errors.empty(); }

  [[nodiscard]] uint32_t sets(uint32_t i) const { return least_sets << i; }
  [[nodiscard]] bool of_pages() const { return line_bytes >= kLeastPage; }
  [[nodiscard]] uint64_t bytes(uint32_t i, uint32_t some_ways) const {
    return uint64_t{sets(i)} * some_ways * line_bytes;
  }
};

// nullopt where the recording does not say, or not in a way that makes sense.
[[nodiscard]] std::optional<Sizes> recorded_sizes(const record::Features& features);

}  // namespace hm::profile
