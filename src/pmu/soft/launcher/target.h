// SPDX-License-Identifier: MIT
// Checks before a program starts that the software PMU can run it.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace hm::soft {

// Returns the path of the program `name`, searched in PATH as a shell does. Fails if the program is not found
// or not executable, is a folder or not a 64-bit x86 program, or is set-uid.
Result<std::string> resolve_target(const std::string& name);

// Returns the set-uid and set-gid files in PATH. They must run unprofiled.
std::vector<std::string> privileged_programs();

}  // namespace hm::soft
