// SPDX-License-Identifier: MIT
// When did each branch happen? A sample's branches carry no time, only their order: ways to divide the time
// since the sample before over them (Ono and others, the ways 0 to 3; the last three are ours).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace hm::timeline {

enum class Way {
  kNone,    // all of it to the sampled function
  kEven,    // equal parts
  kShare,   // to each branch its function's share of all samples; the rest to the sampled function
  kRatio,   // in the ratio of these shares
  kDwell,   // in the ratio of the mean times that their functions run from branch to branch
  kMix,     // by kDwell, what this sample and the one before tell half each, all over the time between them
  kCycles,  // in the ratio of the cycles that the processor counted from branch to branch
};

inline constexpr Way kAllWays[] = {Way::kNone,  Way::kEven, Way::kShare, Way::kRatio,
                                   Way::kDwell, Way::kMix,  Way::kCycles};
[[nodiscard]] std::string_view name_of(Way way);
[[nodiscard]] std::optional<Way> way_named(std::string_view name);

// The time since a sample's predecessor is cut into stretches: each is in one function, and a branch ends it;
// the last one is the sample's own. What a way weighs a stretch by, of its function:
enum class Weight {
  kShare,  // its part of all samples
  kDwell,  // of its stretches, those in which a sample was taken: the longer they are, the more
};
[[nodiscard]] Weight weight_of(Way way);

// `parts`, of stretches, oldest first, are their weights, and become the part of the time that each gets;
// they add up to 1. They are not none. `cycles`: of each; 0 where not counted, as of the last one. Where no
// cycles were counted, kCycles is kDwell; where all weights are 0, the parts are equal. A stretch whose
// cycles are not known gets the mean of the others.
void divide(Way way, std::span<const uint16_t> cycles, std::span<double> parts);

}  // namespace hm::timeline
