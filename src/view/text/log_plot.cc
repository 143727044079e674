// SPDX-License-Identifier: MIT
#include "view/text/log_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/byte_size.h"
#include "view/text/format.h"

namespace hm::text {
namespace {

constexpr size_t kRows = 16;
constexpr size_t kMargin = 8;  // columns for the values
constexpr size_t kFewestColumns = 24;
constexpr size_t kMaxColumns = 96;
constexpr size_t kDotRows = 4;  // of a Braille cell
constexpr size_t kDotColumns = 2;

// Positions between 0 and 1.
struct Axis {
  double low = 0, high = 1;  // logarithms of base 2

  [[nodiscard]] double position(double value) const { return (std::log2(value) - low) / (high - low); }
};

struct Axes {
  Axis size, value;
};

std::optional<Axes> axes_around(const std::vector<PlotCurve>& curves) {
  std::optional<Axes> axes;
  for (const PlotCurve& curve : curves) {
    for (const auto& [size_bytes, value] : curve.points) {
      double x = std::log2(static_cast<double>(size_bytes)), y = std::log2(value);
      if (!axes) axes = Axes{{x, x}, {y, y}};
      axes->size = {std::min(axes->size.low, x), std::max(axes->size.high, x)};
      axes->value = {std::min(axes->value.low, y), std::max(axes->value.high, y)};
    }
  }
  if (!axes) return axes;
  axes->size.high = std::max(axes->size.high, axes->size.low + 1);
  axes->value.low -= 0.2;  // margin
  axes->value.high = std::max(axes->value.high, axes->value.low + 1) + 0.2;
  return axes;
}

// A character cell: its dots, and the last curve drawn in it.
struct Cell {
  unsigned dots = 0;  // bits in the order of the Braille patterns
  const PlotCurve* curve = nullptr;
  bool marked = false;
};

size_t index_of(double position, size_t count) {
  return static_cast<size_t>(std::lround(std::clamp(position, 0.0, 1.0) * static_cast<double>(count - 1)));
}

// Row 0 is at the bottom.
class Canvas {
 public:
  Canvas(const Axes& axes, size_t columns) : axes_(axes), columns_(columns), cells_(columns * kRows) {}

  void draw(const PlotCurve& curve) {
    for (size_t i = 0; i < curve.points.size(); ++i) {
      const auto& [size_bytes, value] = curve.points[i];
      double x = axes_.size.position(static_cast<double>(size_bytes)), y = axes_.value.position(value);
      if (i > 0) draw_line(curve, curve.points[i - 1], x, y);
      dot(curve, x, y);
    }
  }

  void mark(const PlotMark& mark) {
    for (size_t row = 0; row < kRows; ++row) at(row, column_of(mark.size_bytes)).marked = true;
  }

  [[nodiscard]] size_t column_of(uint64_t size_bytes) const {
    return index_of(axes_.size.position(static_cast<double>(size_bytes)), columns_);
  }
  [[nodiscard]] const Cell& cell(size_t row, size_t column) const { return cells_[row * columns_ + column]; }
  [[nodiscard]] size_t columns() const { return columns_; }

 private:
  Cell& at(size_t row, size_t column) { return cells_[row * columns_ + column]; }

  void draw_line(const PlotCurve& curve, const std::pair<uint64_t, double>& from, double x, double y) {
    double from_x = axes_.size.position(static_cast<double>(from.first));
    double from_y = axes_.value.position(from.second);
    double dots = std::max(std::abs(x - from_x) * static_cast<double>(columns_ * kDotColumns),
                           std::abs(y - from_y) * static_cast<double>(kRows * kDotRows));
    for (double done = 1; done < dots; ++done) {
      dot(curve, from_x + (x - from_x) * done / dots, from_y + (y - from_y) * done / dots);
    }
  }

  // Bits of a cell (The Unicode Standard, "Braille Patterns"): the three upper rows column by column, then
  // the lowest row.
  void dot(const PlotCurve& curve, double x, double y) {
    constexpr unsigned kBits[kDotRows][kDotColumns] = {
        {0x40, 0x80}, {0x04, 0x20}, {0x02, 0x10}, {0x01, 0x08}};
    size_t row = index_of(y, kRows * kDotRows), column = index_of(x, columns_ * kDotColumns);
    Cell& cell = at(row / kDotRows, column / kDotColumns);
    cell.dots |= kBits[row % kDotRows][column % kDotColumns];
    cell.curve = &curve;
  }

  Axes axes_;
  size_t columns_;
  std::vector<Cell> cells_;
};

std::string utf8_braille(unsigned dots) {
  unsigned code = 0x2800 + dots;
  return {static_cast<char>(0xe0 | (code >> 12)), static_cast<char>(0x80 | ((code >> 6) & 0x3f)),
          static_cast<char>(0x80 | (code & 0x3f))};
}

std::string cell_text(const Cell& cell, const Style& style) {
  if (cell.curve == nullptr) return !cell.marked ? " " : style.drawing ? "┊" : ":";
  std::string text = style.drawing ? utf8_braille(cell.dots) : std::string(1, cell.curve->letter);
  return style.color ? fmt::format("\x1b[{}m{}\x1b[0m", cell.curve->color, text) : text;
}

// Labels 1, 2, 5, 10, ... at their rows, at most one per row.
std::vector<std::string> row_labels(const Axis& axis, std::string_view unit) {
  std::vector<std::string> labels(kRows);
  for (double decade = 1e-3; decade < 1e7; decade *= 10) {
    for (double value : {decade, 2 * decade, 5 * decade}) {
      double position = axis.position(value);
      if (position >= 0 && position <= 1)
        labels[index_of(position, kRows)] = fmt::format("{:g}{}", value, unit);
    }
  }
  return labels;
}

// A line of labels below or above a canvas, separated by blanks. Labels without room are dropped.
class LabelLine {
 public:
  explicit LabelLine(size_t columns) : end_(kMargin + 1 + columns) {}

  // The label begins at the canvas's column.
  void add(size_t canvas_column, const std::string& text) {
    size_t column = kMargin + 1 + canvas_column;
    if (column < next_ || column + columns_of(text) > end_) return;
    size_t width = columns_of(line_);
    line_ += std::string(column - width, ' ') + text;
    next_ = column + columns_of(text) + 1;
  }
  [[nodiscard]] std::string text() const { return line_ + '\n'; }

 private:
  std::string line_;
  size_t next_ = 0;
  size_t end_;
};

std::string mark_line(const std::vector<PlotMark>& marks, const Canvas& canvas) {
  LabelLine line(canvas.columns());
  for (const PlotMark& mark : marks) line.add(canvas.column_of(mark.size_bytes), mark.name);
  return line.text();
}

std::string size_line(const Axis& axis, const Canvas& canvas) {
  LabelLine line(canvas.columns());
  for (int power = 0; power < 60; power += 2) {
    bool inside = power >= axis.low && power <= axis.high;
    uint64_t size_bytes = uint64_t{1} << power;
    if (inside) line.add(canvas.column_of(size_bytes), byte_size_text(size_bytes));
  }
  return line.text();
}

std::string legend(const std::vector<PlotCurve>& curves, const Style& style) {
  std::string out(kMargin + 1, ' ');
  for (const PlotCurve& curve : curves) {
    if (curve.points.empty()) continue;
    Cell sample{0x12, &curve, false};
    out += fmt::format("{} {}   ", cell_text(sample, style), curve.name);
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out + '\n';
}

}  // namespace

std::string log_plot(const std::vector<PlotCurve>& curves, const std::vector<PlotMark>& marks,
                     std::string_view unit, const Style& style) {
  std::optional<Axes> axes = axes_around(curves);
  if (!axes) return {};
  size_t width = style.width == 0 ? 80 : style.width;
  size_t columns = std::clamp(width - std::min(width, kMargin + 2), kFewestColumns, kMaxColumns);
  Canvas canvas(*axes, columns);
  for (const PlotMark& mark : marks) canvas.mark(mark);
  for (const PlotCurve& curve : curves) canvas.draw(curve);
  std::vector<std::string> labels = row_labels(axes->value, unit);
  std::string out = mark_line(marks, canvas);
  for (size_t row = kRows; row-- > 0;) {
    std::string line = fmt::format("{:>{}}{}", labels[row], kMargin, style.drawing ? "│" : "|");
    for (size_t column = 0; column < columns; ++column) line += cell_text(canvas.cell(row, column), style);
    out += line.erase(line.find_last_not_of(' ') + 1) + '\n';
  }
  out += fmt::format("{}{}", std::string(kMargin, ' '), style.drawing ? "└" : "+");
  for (size_t column = 0; column < columns; ++column) out += style.drawing ? "─" : "-";
  return out + '\n' + size_line(axes->size, canvas) + legend(curves, style);
}

}  // namespace hm::text
