// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/corun/corun_prediction.h"

namespace hm::json {

// `names` holds the programs' names.
[[nodiscard]] std::string corun_json(const corun::Corun& corun, const std::vector<std::string>& names);

}  // namespace hm::json
