// SPDX-License-Identifier: MIT
// From what is known of a place to a pattern of the catalogue (docs/patterns), and what its remedy would
// gain.
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

// Each has a page docs/patterns/NAME.md; the two of one instruction's width share one.
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

// "power_of_two_stride", ...: as its page is called.
[[nodiscard]] std::string_view name_of(Pattern pattern);

// What decides, of one place and event.
struct Evidence {
  std::string_view event;
  // Parts of the place's misses, of those whose class is known; all 0 where none is.
  double compulsory = 0, capacity = 0, conflict = 0;
  double true_sharing = 0, false_sharing = 0, sharing = 0;
  double other_program = 0;  // evicted by one
  double no_history = 0;     // not used since the measurement began
  Walk walk;
  uint64_t access_bytes = 0;   // 0: not known
  uint64_t element_bytes = 0;  // of what is walked over, its type's size; 0: not known
  uint64_t used_bytes = 0;     // of it, by this loop
  uint64_t line_bytes = 64;
  std::optional<double> huge_pages = std::nullopt;  // the part that would hit if pages were of 2 MiB
  // Of the misses, those of the one element of a line that is missed most: nearly all of them where a line is
  // missed once for all of its elements.
  std::optional<profile::Share> one_element = std::nullopt;
  // How many lines the cache holds of those that lie a step of the walk apart.
  std::optional<uint64_t> lines_kept = std::nullopt;
  // Of lines that are used again, the part that the cache would keep if all lay in its sets by chance.
  std::optional<double> kept_by_chance = std::nullopt;
  bool copies_or_compares =
      false;  // memcpy and its like: what is accessed, and how it is aligned, is the caller's
  // Of loads that waited for a store, the part whose store wrote elsewhere.
  std::optional<double> aliases = std::nullopt;
  bool physical = false;  // where in the cache data lie is known by their physical addresses
  bool exchanges =
      false;  // the instruction is an exchange, as of a lock: it writes even if the lock is taken
  bool line_is_exchanged = false;  // another place exchanges with the same cache line
};

// The part of the place's events that would go. An estimate; `why` says from what.
struct Gain {
  double low = 0, high = 0;
  std::string why;
};

struct Advice {
  Pattern pattern;
  std::optional<Gain> gain;          // nullopt where nothing that was measured tells
  std::string_view own_remedy = {};  // where the pattern's is not all that is to be done
};

// What to do, in a sentence's end.
[[nodiscard]] std::string_view remedy_of(const Advice& advice);

// nullopt where no pattern fits.
[[nodiscard]] std::optional<Advice> advise(const Evidence& evidence);

}  // namespace hm::cause
