// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "profile/profile.h"

namespace hm::profile {

// Returns sentences on missing function names and how to get them. Covers just-in-time compilers that wrote
// no map of their code, interpreters, in which samples show only the interpreter itself, and stripped files.
[[nodiscard]] std::vector<std::string> missing_names(const Profile& profile);

}  // namespace hm::profile
