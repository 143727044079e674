// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "analysis/annotate/annotate.h"
#include "view/text/table.h"

namespace hm::text {

// The hottest lines, then the instructions in order with the line above those it belongs to. `max_lines`: of
// the first table; 0: all.
[[nodiscard]] std::string annotation(const annotate::Annotation& result, const Style& style,
                                     size_t max_lines);

}  // namespace hm::text
