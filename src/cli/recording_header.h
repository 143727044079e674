// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/totals/totals.h"
#include "profile/profile.h"

namespace hm::cli {

// Returns the lines at the head of a report (text::recording_header), at most as wide as a terminal on
// standard output.
[[nodiscard]] std::string recording_header(const profile::Profile& profile, const totals::Totals& totals);

}  // namespace hm::cli
