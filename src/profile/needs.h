// SPDX-License-Identifier: MIT
#pragma once

namespace hm::profile {

enum class Branches {
  kNone,
  kFunctions,  // Samples::left_functions and new_branches: a tenth of the memory
  kWhole,      // Samples::branches
};

// What of its samples a command uses, beside event, thread, place, time and period. What it does not use is
// neither read nor kept: its columns are empty.
struct Needs {
  bool chains = true;
  Branches branches = Branches::kWhole;
  bool cpus = true;      // Samples::cpu
  bool details = true;   // what the access was: every other Column of Samples
  bool objects = false;  // what was accessed: Samples::object; only with the details
  bool fields =
      true;  // and which field of it: Samples::field; only with the objects. Takes debug information
};

// Enough for tables and totals.
inline constexpr Needs kPlacesOnly{
    .chains = false, .branches = Branches::kNone, .cpus = false, .details = false, .objects = false};

}  // namespace hm::profile
