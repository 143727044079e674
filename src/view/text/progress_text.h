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
// Returns the sentence for a view without samples. After some seconds, it has advice.
[[nodiscard]] std::string waiting_text(const pmu::Progress& progress);
// Returns the fields that fit beside the title of a screen, with the cost first.
[[nodiscard]] std::vector<std::string> cost_fields(const pmu::Progress& progress);

}  // namespace hm::text
