// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cli/program_options.h"

namespace hm::cli {

// Returns the measured processes or threads for a title: "python3 (1234)", "postgres (12) and 7 others".
// Empty if the target is not a list of them.
[[nodiscard]] std::string target_names(const TargetFlags& target);

}  // namespace hm::cli
