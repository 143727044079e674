// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/check/recording_check.h"
#include "view/text/table.h"

namespace hm::text {

[[nodiscard]] std::string check_report(const analysis::CheckResult& result,
                                       const std::vector<record::EventDescription>& events,
                                       const Style& style);

}  // namespace hm::text
