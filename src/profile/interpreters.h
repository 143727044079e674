// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "profile/profile.h"

namespace hm::profile {

// What samples in code that has no names of its own lack, and how to get it: of just-in-time compilers that
// wrote no map of their code, and of interpreters, in which all programs look alike. A sentence each.
[[nodiscard]] std::vector<std::string> missing_names(const Profile& profile);

}  // namespace hm::profile
