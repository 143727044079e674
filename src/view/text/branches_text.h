// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/branches/branches.h"
#include "view/text/table.h"

namespace hm::text {

[[nodiscard]] std::string branches_table(const branches::Branches& result, const Style& style);

}  // namespace hm::text
