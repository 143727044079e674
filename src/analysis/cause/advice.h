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
};

// "power_of_two_stride", ...: as its page is called.
[[nodiscard]] std::string_view name_of(Pattern pattern);
// What to do, in a sentence's end.
[[nodiscard]] std::string_view remedy_of(Pattern pattern);

// What decides, of one place and event.
struct Evidence {
  std::string_view event;
  // Parts of the place's misses, of those whose class is known; all 0 where none is.
  double compulsory = 0, capacity = 0, conflict = 0;
  double true_sharing = 0, false_sharing = 0, sharing = 0;
  Walk walk;
  uint64_t access_bytes = 0;   // 0: not known
  uint64_t element_bytes = 0;  // of what is walked over, its type's size; 0: not known
  uint64_t used_bytes = 0;     // of it, by this loop
  uint64_t line_bytes = 64;
  std::optional<double> huge_pages = std::nullopt;  // the part that would hit if pages were of 2 MiB
  bool exchanges = false;  // the instruction writes whether or not it gets what it waits for
};

// The part of the place's events that would go. An estimate; `why` says from what.
struct Gain {
  double low = 0, high = 0;
  std::string why;
};

struct Advice {
  Pattern pattern;
  std::optional<Gain> gain;  // nullopt where nothing that was measured tells
};

// nullopt where no pattern fits.
[[nodiscard]] std::optional<Advice> advise(const Evidence& evidence);

}  // namespace hm::cause
