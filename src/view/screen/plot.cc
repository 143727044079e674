// SPDX-License-Identifier: MIT
#include "view/screen/plot.h"

#include <algorithm>
#include <cmath>

namespace hm::screen {
namespace {

constexpr size_t kEighths = 8;
constexpr const char* kBlocks[kEighths + 1] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

// Returns a height from 0 to `steps`. A value above 0 is at least 1, so that it is visible.
size_t height_of(double value, double most, size_t steps) {
  if (value <= 0 || most <= 0) return 0;
  double height = std::round(std::min(value / most, 1.0) * static_cast<double>(steps));
  return std::max<size_t>(1, static_cast<size_t>(height));
}

// Returns the last `columns` values, after blanks if there are fewer.
std::vector<PlotValue> last_values(const std::vector<PlotValue>& values, size_t columns) {
  size_t shown = std::min(columns, values.size());
  std::vector<PlotValue> last(columns - shown);
  last.insert(last.end(), values.end() - static_cast<ptrdiff_t>(shown), values.end());
  return last;
}

std::string spark_of(const PlotValue& each, double most, bool drawing) {
  if (!each.value) return " ";
  if (each.is_earlier) return drawing ? "·" : ".";
  if (!drawing) return std::string(1, static_cast<char>('0' + height_of(*each.value, most, 9)));
  return kBlocks[std::max<size_t>(1, height_of(*each.value, most, kEighths))];
}

// Returns one row's cell of a plot column. `height` is the column's height in eighths of a row, `bottom` that
// of the cell's lower edge.
std::string part_of(const PlotValue& each, size_t height, size_t bottom, bool drawing) {
  if (!each.value || height < bottom || (height == bottom && bottom != 0)) return " ";
  size_t filled = std::min(height - bottom, kEighths);
  bool is_top = height <= bottom + kEighths;
  if (each.is_earlier) return !is_top ? " " : drawing ? "·" : ".";
  if (drawing) return height == 0 ? "▁" : kBlocks[filled];
  return filled == 0 ? "_" : filled >= kEighths / 2 ? "#" : ".";
}

}  // namespace

std::string sparkline(const std::vector<PlotValue>& values, size_t columns, double most, bool drawing) {
  std::string line;
  for (const PlotValue& each : last_values(values, columns)) line += spark_of(each, most, drawing);
  return line;
}

std::vector<std::string> plot(const std::vector<PlotValue>& values, size_t columns, size_t rows, double most,
                              bool drawing) {
  std::vector<std::string> lines(rows);
  for (const PlotValue& each : last_values(values, columns)) {
    size_t height = height_of(each.value.value_or(0), most, rows * kEighths);
    for (size_t i = 0; i < rows; ++i) lines[i] += part_of(each, height, (rows - 1 - i) * kEighths, drawing);
  }
  return lines;
}

std::vector<PlotValue> condensed(const std::vector<PlotValue>& values, size_t into_one) {
  if (into_one <= 1) return values;
  std::vector<PlotValue> few((values.size() + into_one - 1) / into_one);
  size_t missing = few.size() * into_one - values.size();  // free slots in the first group
  for (size_t i = 0; i < values.size(); ++i) {
    PlotValue& one = few[(i + missing) / into_one];
    const PlotValue& each = values[i];
    if (!each.value) continue;
    bool is_better = !one.value || (one.is_earlier && !each.is_earlier);
    bool is_alike = one.value && one.is_earlier == each.is_earlier && *each.value > *one.value;
    if (is_better || is_alike) one = each;
  }
  return few;
}

}  // namespace hm::screen
