// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/totals/totals.h"
#include "profile/profile.h"

namespace hm::text {

// The lines at the head of every report, each beginning with "#": which PMU, which command, what was lost,
// problems, notes, totals, what became of the clock event's samples.
[[nodiscard]] std::string recording_header(const profile::Profile& profile, const totals::Totals& totals);

// Problems, a line each; of many the first.
[[nodiscard]] std::string problem_lines(const std::vector<std::string>& problems);

// "hardware PMU", "software PMU", "the kernel (software events)", or what the recording calls it.
[[nodiscard]] std::string pmu_title(const profile::Profile& profile);

}  // namespace hm::text
