// SPDX-License-Identifier: MIT
#pragma once

namespace hm::profile {

enum class Branches {
  kNone,
  kFunctions,  // Samples::left_functions and new_branches: takes a tenth of the memory
  kWhole,      // Samples::branches
};

// The columns that a command needs besides event, thread, place, time and period. Columns that are not needed
// are neither read nor stored: they stay empty.
struct Needs {
  bool chains = true;
  Branches branches = Branches::kWhole;
  bool cpus = true;      // Samples::cpu
  bool details = true;   // attributes of the access: every other Column of Samples
  bool objects = false;  // data objects: Samples::object; requires the details
  bool fields = true;    // fields of the objects: Samples::field; requires objects and debug information
};

// Sufficient for tables and totals.
inline constexpr Needs kPlacesOnly{
    .chains = false, .branches = Branches::kNone, .cpus = false, .details = false, .objects = false};

}  // namespace hm::profile
