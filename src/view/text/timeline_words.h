// SPDX-License-Identifier: MIT
// How the parts of a time line are said, on a page or a screen.
#pragma once

#include <string>
#include <vector>

#include "analysis/timeline/episodes.h"
#include "analysis/timeline/timeline.h"

namespace hm::text {

// "1.25 ms".
[[nodiscard]] std::string duration_text(double ns);
// Of a time line's axis: likewise, or "1.25 Mcycles".
[[nodiscard]] std::string time_text(double amount, timeline::Unit unit);
// Of the function in this column of Timeline::functions, 'a' to 'z'; '?' of unknown code, '_' of the idle
// task,
// '.' of all others.
[[nodiscard]] char letter_of(size_t column, const std::vector<timeline::Function>& functions);
// The column of the function with a letter that ran the longest; that of the others where none did. Something
// ran.
[[nodiscard]] size_t longest_named(const timeline::Bin& bin);
// A lane's name, as wide as all are, with the bar at which its cells begin.
inline constexpr size_t kLaneNameColumns = 18;
[[nodiscard]] std::string lane_name(const std::string& name);
// How much was counted in a cell, beside the most in any: ' ' or one of ".:-=+*#%@".
[[nodiscard]] char shade_of(double count, double most);
// Its branches in the order in which they ran, and the function sampled; those that the sample before had too
// are in parentheses.
[[nodiscard]] std::string moment_line(const timeline::Moment& moment, timeline::Unit unit);
[[nodiscard]] std::string episode_line(const timeline::Episode& episode, timeline::Unit unit);

}  // namespace hm::text
