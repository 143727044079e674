// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pmu/progress.h"

namespace hm::text {

// Returns the state of a running measurement as fields of one line, most important first. Fields that do not
// fit are omitted from the end. `hint` follows the time, unless it is empty.
[[nodiscard]] std::vector<std::string> progress_fields(const pmu::Progress& progress,
                                                       std::string_view hint = {});

}  // namespace hm::text
