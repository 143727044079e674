// SPDX-License-Identifier: MIT
// Values over time, drawn with characters.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hm::screen {

// One value; nullopt: not measured then. An earlier one stands where none was measured since.
struct PlotValue {
  std::optional<double> value;
  bool is_earlier = false;

  bool operator==(const PlotValue&) const = default;
};

// The last `columns` values from 0 to `most`, a column each: blocks of eight heights, or digits from 0 to 9
// where `drawing` characters cannot be shown. Not measured: a blank; an earlier value: a dot.
[[nodiscard]] std::string sparkline(const std::vector<PlotValue>& values, size_t columns, double most,
                                    bool drawing);

// Likewise `rows` high, the uppermost first.
[[nodiscard]] std::vector<std::string> plot(const std::vector<PlotValue>& values, size_t columns, size_t rows,
                                            double most, bool drawing);

// So many values become one: the largest of those that were measured.
[[nodiscard]] std::vector<PlotValue> condensed(const std::vector<PlotValue>& values, size_t into_one);

}  // namespace hm::screen
