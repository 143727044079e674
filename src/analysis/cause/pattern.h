// SPDX-License-Identifier: MIT
// The catalogue of patterns (docs/patterns): names, remedies, and the gain of a remedy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hm::cause {

// The page of a pattern is docs/patterns/NAME.md. kSplitAccess and kStoreForwardBlocked share one page.
enum class Pattern : uint8_t {
  kPowerOfTwoStride,
  kColumnWalk,
  kWorkingSetTooLarge,
  kBigRandomTable,
  kPointerChase,
  kColdScan,
  kFirstTouches,
  kTreeOfNodes,
  kHashChain,
  kListOfNodes,
  kSharedPointers,
  kStringKeys,
  kPointerArray,
  kVirtualCalls,
  kBoxedObjects,
  kManyAllocations,
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

// Estimated fraction of the place's events that the remedy removes; `why` gives the basis of the estimate.
struct Gain {
  double low = 0, high = 0;
  std::string why;
  // Upper bound of the gain as a fraction of the program's modelled cycles; nullopt if these are not known.
  std::optional<double> of_cycles = std::nullopt;
};

struct Advice {
  Pattern pattern;
  std::optional<Gain> gain;          // nullopt if no measured value supports an estimate
  std::string_view own_remedy = {};  // set if the pattern's general remedy does not fit fully
  std::string basis = {};            // how the container was recognized, one clause; empty if none was
};

// Returns the remedy as the end of a sentence.
[[nodiscard]] std::string_view remedy_of(const Advice& advice);

}  // namespace hm::cause
