// SPDX-License-Identifier: MIT
// Plots of curves in the terminal with two logarithmic axes.
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
  char letter = '*';                                // used without drawing characters
  int color = 0;                                    // SGR code, 31 to 37
  std::vector<std::pair<uint64_t, double>> points;  // size in bytes, value; both above zero
};

// A vertical line at a size, with its name on top.
struct PlotMark {
  uint64_t size_bytes = 0;
  std::string name;
};

// The x axis shows sizes, the y axis values in `unit`; a legend is below. Dots are Braille patterns (Unicode
// block 2800), four rows and two columns per cell, if the style allows drawing characters. Otherwise they are
// letters, and later curves cover earlier ones. Empty if there are no points.
[[nodiscard]] std::string log_plot(const std::vector<PlotCurve>& curves, const std::vector<PlotMark>& marks,
                                   std::string_view unit, const Style& style);

}  // namespace hm::text
