// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/cause/cause.h"
#include "view/text/table.h"

namespace hm::text {

// A paragraph for each place, the hottest first; one after the other for each event.
[[nodiscard]] std::string causes(const cause::Causes& result, const Style& style);

}  // namespace hm::text
