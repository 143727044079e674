// SPDX-License-Identifier: MIT
// What can be asked of one recording.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "web/parameters.h"
#include "web/recordings.h"

namespace hm::web {

using Question = Result<std::string> (*)(Recording& recording, Parameters& parameters);

// nullptr where there is none of that name.
[[nodiscard]] Question find_question(std::string_view name);

}  // namespace hm::web
