// SPDX-License-Identifier: MIT
// Whether memory matters to a program, as lines of text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "analysis/totals/verdict.h"

namespace hm::text {

// Returns the share and its parts in one line.
[[nodiscard]] std::string verdict_line(const totals::Verdict& verdict);

// Returns a sentence, a bar of the cycles with its legend, and the rates; each line begins with `prefix`
// ("# "). All lines fit in 80 columns, or in `columns` if these are fewer (0: no limit).
[[nodiscard]] std::string verdict_lines(const totals::Verdict& verdict, std::string_view prefix,
                                        size_t columns = 0);

}  // namespace hm::text
