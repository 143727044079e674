// SPDX-License-Identifier: MIT
// Ways to estimate the times of branches. Branch records have an order but no times. The ways divide the time
// since the previous sample over them (Ono and others, ways 0 to 3; the last three are ours).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace hm::timeline {

enum class Way {
  kNone,    // the whole time to the sampled function
  kEven,    // equal parts
  kShare,   // to each branch its function's share of all samples; the rest to the sampled function
  kRatio,   // in proportion to the shares of kShare
  kDwell,   // in proportion to the functions' mean times from branch to branch
  kMix,     // as kDwell; half the time by this sample's branches and half by the previous sample's
  kCycles,  // in proportion to the cycles that the processor counted from branch to branch
};

inline constexpr Way kAllWays[] = {Way::kNone,  Way::kEven, Way::kShare, Way::kRatio,
                                   Way::kDwell, Way::kMix,  Way::kCycles};
[[nodiscard]] std::string_view name_of(Way way);
[[nodiscard]] std::optional<Way> way_named(std::string_view name);

// The time between two samples is divided into stretches. Each stretch is in one function and ends with a
// branch; the last stretch is the sample's own. The weight of a stretch depends on its function:
enum class Weight {
  kShare,  // the function's fraction of all samples
  kDwell,  // the fraction of its stretches that contain a sample, which grows with their length
};
[[nodiscard]] Weight weight_of(Way way);

// `parts` holds the weights of the stretches, oldest first, and receives their fractions of the time, with
// sum 1. `parts` must not be empty. `cycles` has an entry per stretch, 0 if not counted, as for the last
// stretch. If no cycles were counted, kCycles works like kDwell. If all weights are 0, the parts are equal. A
// stretch without cycles gets the mean of the others.
void divide(Way way, std::span<const uint16_t> cycles, std::span<double> parts);

}  // namespace hm::timeline
