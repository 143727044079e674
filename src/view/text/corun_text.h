// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/corun/corun_prediction.h"
#include "analysis/map/cache_map.h"
#include "view/text/table.h"

namespace hm::text {

// `names` holds the programs' names; `cache` is the modelled cache.
[[nodiscard]] std::string corun_view(const corun::Corun& corun, const std::vector<std::string>& names,
                                     const map::Cache& cache, const Style& style);

}  // namespace hm::text
