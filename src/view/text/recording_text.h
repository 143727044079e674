// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/totals/totals.h"
#include "profile/profile.h"

namespace hm::text {

// Returns the lines at the head of every report, each beginning with "#": the PMU, the command, losses,
// problems, notes, totals, and the attribution of the clock event's samples. Lines are at most `columns` wide
// (0: no limit), if their words are.
[[nodiscard]] std::string recording_header(const profile::Profile& profile, const totals::Totals& totals,
                                           size_t columns = 0);

// Breaks each line of comments ("# ...") at spaces if it is wider than `columns` (0: no limit).
[[nodiscard]] std::string wrapped_comments(std::string_view comments, size_t columns);

// Returns a line for each problem. A long list is cut after the first problems.
[[nodiscard]] std::string problem_lines(const std::vector<std::string>& problems);

// Returns "hardware PMU", "software PMU", "the kernel (software events)", or the name in the recording.
[[nodiscard]] std::string pmu_title(const profile::Profile& profile);

}  // namespace hm::text
