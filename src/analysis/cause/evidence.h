// SPDX-License-Identifier: MIT
// Input of the advice: what samples and code show about one place.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analysis/cause/container.h"
#include "analysis/cause/shape.h"
#include "profile/event_counts.h"

namespace hm::cause {

// Evidence about one place and one event.
struct Evidence {
  std::string_view event;
  // Fractions of the place's classified misses; all 0 if no miss is classified.
  double compulsory = 0, capacity = 0, conflict = 0;
  double true_sharing = 0, false_sharing = 0, sharing = 0;
  double other_program = 0;  // fraction of misses on lines that another program evicted
  double no_history = 0;     // fraction of misses on lines not used since the measurement began
  Walk walk;
  uint64_t access_bytes = 0;   // 0: unknown
  uint64_t element_bytes = 0;  // size of the type that the loop walks over; 0: unknown
  uint64_t used_bytes = 0;     // bytes of each element that this loop uses
  uint64_t line_bytes = 64;
  std::optional<double> huge_pages = std::nullopt;  // fraction of misses that would hit with 2 MiB pages
  // Fraction of the misses that fall on the most missed element of a line. The fraction is nearly 1 if the
  // loop misses each line once for all of its elements.
  std::optional<profile::Share> one_element = std::nullopt;
  // Number of lines, one stride of the walk apart, that the cache can hold.
  std::optional<uint64_t> lines_kept = std::nullopt;
  // Fraction of the reused lines that the cache would keep if lines mapped to its sets at random.
  std::optional<double> kept_by_chance = std::nullopt;
  bool copies_or_compares =
      false;  // memcpy and similar functions: the caller chooses the buffers and their alignment
  // Fraction of the loads blocked by an older store for which the store wrote to a different address.
  std::optional<double> aliases = std::nullopt;
  bool physical = false;  // the cache sets are computed from physical addresses
  bool exchanges =
      false;  // the instruction is an atomic exchange, as in a spin lock: it writes even if the lock is taken
  Container container = Container::kNone;  // of the missed data
  std::string_view container_basis = {};   // evidence for `container`, one clause
  bool iterates = false;                   // the code goes from element to element of the container
  uint64_t block_bytes = 0;                // most common size of the missed heap blocks; 0: unknown
  bool separate_blocks = false;            // most misses are in different heap blocks
  std::optional<uint64_t> reuse_lines = std::nullopt;  // median stack distance, if it is exact
  uint64_t cache_lines = 0;                            // of the cache that the event concerns; 0: unknown
  bool in_chain_of_table = false;                      // symbol::AddressFacts::in_chain_of_table
  bool loads_dispatch = false;                         // symbol::loads_dispatch_table()
  bool line_is_exchanged = false;                      // another place executes exchanges on this cache line
};

}  // namespace hm::cause
