// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace hm {

// Returns the folders that a shell searches for a program (PATH; POSIX, Base Definitions, 8.3).
[[nodiscard]] std::vector<std::string> path_folders();

// Returns the path of the file that a shell would run for `name`. Fails with kNotFound, kInvalidArgument (a
// folder) or kPermission, and a message of one sentence.
[[nodiscard]] Result<std::string> find_program(const std::string& name);

}  // namespace hm
