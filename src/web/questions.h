// SPDX-License-Identifier: MIT
// Queries on one recording.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "web/parameters.h"
#include "web/recordings.h"

namespace hm::web {

using Question = Result<std::string> (*)(Recording& recording, Parameters& parameters);

// Returns nullptr if there is no query of that name.
[[nodiscard]] Question find_question(std::string_view name);

}  // namespace hm::web
