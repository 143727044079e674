// SPDX-License-Identifier: MIT
// Maps the evidence about a hot place to a pattern of the catalogue (docs/patterns), and estimates the gain
// of its remedy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/cause/shape.h"
#include "profile/event_counts.h"
#include "record/extension.h"

namespace hm::cause {

// The page of a pattern is docs/patterns/NAME.md. kSplitAccess and kStoreForwardBlocked share one page.
enum class Pattern : uint8_t {
  kPowerOfTwoStride,
  kColumnWalk,
  kWorkingSetTooLarge,
  kBigRandomTable,
  kPointerChase,
  kColdScan,
  kHotAndColdFields,
  kSplitAccess,
  kStoreForwardBlocked,
  kInstructionMisses,
  kFalseSharing,
  kSpinLock,
  kNoisyNeighbour,
};

// Returns the name of the pattern's page: "power_of_two_stride", ...
[[nodiscard]] std::string_view name_of(Pattern pattern);

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
  bool line_is_exchanged = false;  // another place executes exchanges on this cache line
};

// Estimated fraction of the place's events that the remedy removes; `why` gives the basis of the estimate.
struct Gain {
  double low = 0, high = 0;
  std::string why;
};

struct Advice {
  Pattern pattern;
  std::optional<Gain> gain;          // nullopt if no measured value supports an estimate
  std::string_view own_remedy = {};  // set if the pattern's general remedy does not fit fully
};

// Returns the remedy as the end of a sentence.
[[nodiscard]] std::string_view remedy_of(const Advice& advice);

// Returns nullopt if no pattern fits.
[[nodiscard]] std::optional<Advice> advise(const Evidence& evidence);

}  // namespace hm::cause
