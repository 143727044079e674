// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/fleet/fleet_rows.h"
#include "view/text/table.h"

namespace hm::text {

[[nodiscard]] std::string fleet_table(const fleet::Table& table, const Style& style);
[[nodiscard]] std::string fleet_comparison(const fleet::Comparison& comparison, const Style& style);

}  // namespace hm::text
