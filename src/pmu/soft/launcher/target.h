// SPDX-License-Identifier: MIT
// Checks whether the software PMU can run a program, before the program starts.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace hm::soft {

// Returns the file for `name` (searched in PATH like a shell does), if the Valgrind engine can run it.
// Otherwise fails with one sentence: not found, not executable, a folder, 32-bit, set-uid.
Result<std::string> resolve_target(const std::string& name);

// Returns files in PATH that are set-uid or set-gid: they must run unprofiled.
std::vector<std::string> privileged_programs();

}  // namespace hm::soft
