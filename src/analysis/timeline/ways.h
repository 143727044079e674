// SPDX-License-Identifier: MIT
// When did each branch happen? A sample's branches carry no time, only their order: ways to divide the time
// since the sample before over them (Ono and others, the ways 0 to 3; the last two are ours).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace hm::timeline {

enum class Way {
  kNone,    // all of it to the sampled function
  kEven,    // equal parts
  kShare,   // to each branch its function's share of all samples; the rest to the sampled function
  kRatio,   // in the ratio of these shares
  kDwell,   // in the ratio of the mean times that their functions run from branch to branch
  kCycles,  // in the ratio of the cycles that the processor counted from branch to branch
};

inline constexpr Way kAllWays[] = {Way::kNone,  Way::kEven,  Way::kShare,
                                   Way::kRatio, Way::kDwell, Way::kCycles};
[[nodiscard]] std::string_view name_of(Way way);
[[nodiscard]] std::optional<Way> way_named(std::string_view name);

// A stretch of time in one function, which a branch ends; the last one is the sample's own.
struct Stretch {
  double share = 0;     // of all samples, its function's
  uint16_t cycles = 0;  // 0: not counted
  double dwell = 0;  // of its function's stretches, those in which a sample was taken: the longer, the more
};

// The part of the time that each stretch gets, oldest first; they add up to 1. `stretches` is not empty.
// Where no cycles were counted, kCycles is kDwell; where all shares or dwells are 0, theirs are equal parts.
// A stretch whose cycles are not known, as the sample's, gets the mean of the others.
[[nodiscard]] std::vector<double> divide(Way way, std::span<const Stretch> stretches);

}  // namespace hm::timeline
