// SPDX-License-Identifier: MIT
#pragma once

namespace hm::profile {

// What of its samples a command uses, beside event, thread, place, time and period. What it does not use is
// neither read nor kept: its columns are empty.
struct Needs {
  bool chains = true;
  bool branches = true;
  bool details = true;   // the CPU, and what the access was: every other Column of Samples
  bool objects = false;  // what was accessed: Samples::object and field; only with the details
};

// Enough for tables and totals.
inline constexpr Needs kPlacesOnly{.chains = false, .branches = false, .details = false, .objects = false};

}  // namespace hm::profile
