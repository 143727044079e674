// SPDX-License-Identifier: MIT
// Texts for the parts of a time line, shared by reports and the screen.
#pragma once

#include <string>
#include <vector>

#include "analysis/timeline/episodes.h"
#include "analysis/timeline/timeline_window.h"

namespace hm::text {

// Returns the letter of the function in this column of Timeline::functions: 'a' to 'z'; '?' for unknown code,
// '_' for the idle task, '.' for all others.
[[nodiscard]] char letter_of(size_t column, const std::vector<timeline::Function>& functions);
// Returns the column of the function that ran longest, or the column of the others if no listed function ran.
// The bin must not be empty.
[[nodiscard]] size_t longest_named(const timeline::Bin& bin);
// Returns a lane's name, padded to a common width, followed by the bar at which its cells begin.
inline constexpr size_t kLaneNameColumns = 18;
[[nodiscard]] std::string lane_name(const std::string& name);
// Returns a character for a cell's count relative to the largest count: ' ' or one of ".:-=+*#%@".
[[nodiscard]] char shade_of(double count, double most);
// Returns the moment's branches in the order in which they ran, then the sampled function. Branches that the
// previous sample also has are in parentheses.
[[nodiscard]] std::string moment_line(const timeline::Moment& moment, profile::TimeUnit unit);
[[nodiscard]] std::string episode_line(const timeline::Episode& episode, profile::TimeUnit unit);

}  // namespace hm::text
