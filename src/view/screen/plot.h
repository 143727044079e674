// SPDX-License-Identifier: MIT
// Values over time, drawn with characters.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hm::screen {

// One value; nullopt if not measured at that time. An earlier value fills in if there is no newer
// measurement.
struct PlotValue {
  std::optional<double> value;
  bool is_earlier = false;

  bool operator==(const PlotValue&) const = default;
};

// Draws the last `columns` values from 0 to `most`, one column for each: blocks of eight heights, or digits
// from 0 to 9 unless `drawing` is set. A value that was not measured is a blank, an earlier value a dot.
[[nodiscard]] std::string sparkline(const std::vector<PlotValue>& values, size_t columns, double most,
                                    bool drawing);

// Draws a plot as in sparkline(), but `rows` high, with the uppermost row first.
[[nodiscard]] std::vector<std::string> plot(const std::vector<PlotValue>& values, size_t columns, size_t rows,
                                            double most, bool drawing);

// Merges each `into_one` consecutive values into one: the largest measured value.
[[nodiscard]] std::vector<PlotValue> condensed(const std::vector<PlotValue>& values, size_t into_one);

}  // namespace hm::screen
