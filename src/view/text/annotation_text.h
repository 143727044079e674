// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "analysis/annotate/annotation.h"
#include "view/text/table.h"

namespace hm::text {

// Returns the hottest lines, then the instructions in order, with their source line if it differs from the
// previous instruction's. `max_lines` limits the first table; 0: no limit.
[[nodiscard]] std::string annotation(const annotate::Annotation& result, const Style& style,
                                     size_t max_lines);

}  // namespace hm::text
