// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hm::text {

// Width of the output and permitted characters.
struct Style {
  size_t width = 0;  // columns of the terminal; 0: no limit
  bool color = false;
  bool drawing = false;     // Unicode's drawing characters are permitted
  bool full_names = false;  // functions have their full names, with template arguments and parameters
};

enum class Align { kLeft, kRight };

// Whether a column may be removed from a table that is too wide for the terminal.
enum class Presence {
  kAlways,
  kIfNeeded,  // removed after all kOptional columns; a line below the table names what was removed
  kOptional,
};

// Rows with aligned columns. If the width does not suffice, columns are removed, optional ones first and
// otherwise last first, until names fit or have a readable width; then the widest left-aligned cells lose
// their middle, which is marked by "…". Right-aligned cells are numbers, and are never cut.
class Table {
 public:
  struct Heading {
    std::string title;
    Align align = Align::kRight;
    Presence presence = Presence::kAlways;
  };

  explicit Table(std::vector<Heading> headings) : headings_(std::move(headings)) {}

  // Adds a row with one cell for each heading. `below` is printed under the row as it is, with its own
  // indentation.
  void add(std::vector<std::string> cells, std::string below = {});
  [[nodiscard]] std::string render(const Style& style) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::string below;
  };

  [[nodiscard]] std::vector<size_t> natural_widths() const;
  void fit(std::vector<size_t>& widths, size_t width) const;
  void remove_columns(std::vector<size_t>& widths, size_t width) const;
  [[nodiscard]] std::string removed_text(const std::vector<size_t>& widths, size_t width) const;
  void let_stick_out(std::vector<size_t>& widths) const;
  // If the style has a width, text that is wider than its column loses its middle.
  [[nodiscard]] std::string line(const std::vector<std::string>& cells, const std::vector<size_t>& widths,
                                 const Style& style) const;

  std::vector<Heading> headings_;
  std::vector<Row> rows_;
};

}  // namespace hm::text
