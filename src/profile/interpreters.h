// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "profile/profile.h"

namespace hm::profile {

// Returns sentences on missing function names and how to record them. Covers just-in-time compilers that
// wrote no map of their code, and interpreters, in which samples show only the interpreter itself.
[[nodiscard]] std::vector<std::string> missing_names(const Profile& profile);

}  // namespace hm::profile
