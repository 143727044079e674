// SPDX-License-Identifier: MIT
#pragma once

namespace hm::profile {

// What of its samples a command uses, beside event, thread, place, time and period. What it does not use is
// neither read nor kept: its columns are empty.
struct Needs {
  bool chains = true;
  bool branches = true;
  bool details = true;  // the CPU, and what the access was: every other Column of Samples
};

// Enough for tables and totals.
inline constexpr Needs kPlacesOnly{.chains = false, .branches = false, .details = false};

}  // namespace hm::profile
