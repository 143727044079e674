// SPDX-License-Identifier: MIT
// Curves in the terminal, both axes logarithmic.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "view/text/table.h"

namespace hm::text {

struct PlotCurve {
  std::string name;
  char letter = '*';                                // where there are no drawing characters
  int color = 0;                                    // SGR: 31 to 37
  std::vector<std::pair<uint64_t, double>> points;  // size in bytes, value; both above zero
};

// A line upwards at a size, with its name on top.
struct PlotMark {
  uint64_t size_bytes = 0;
  std::string name;
};

// Sizes to the right, values (of this `unit`) upwards, a legend below. Dots of Braille (Unicode block 2800),
// four a row and two a column, where the style allows; else letters, later curves over earlier ones. Empty
// without points.
[[nodiscard]] std::string log_plot(const std::vector<PlotCurve>& curves, const std::vector<PlotMark>& marks,
                                   std::string_view unit, const Style& style);

}  // namespace hm::text
