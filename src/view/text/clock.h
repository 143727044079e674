// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "profile/profile.h"

namespace hm::text {

// A line, beginning with "#", for each clock event whose samples were attributed to the instruction before:
// how many were, how many data addresses the registers told, and why the others stay where they fell.
[[nodiscard]] std::string clock_lines(const profile::Profile& profile);

}  // namespace hm::text
