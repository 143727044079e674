// SPDX-License-Identifier: MIT
// Checks, before it starts, whether the software PMU can run a program.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace hm::soft {

// The file that `name` means (PATH is searched as a shell does), if the Valgrind engine can run it. Otherwise
// one sentence: not found, not executable, a folder, 32-bit, set-uid.
Result<std::string> resolve_target(const std::string& name);

// Files in PATH that are set-uid or set-gid: they must run unprofiled.
std::vector<std::string> privileged_programs();

}  // namespace hm::soft
