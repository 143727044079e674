// SPDX-License-Identifier: MIT
// The state of the screen of `hardmeter top`, and how keys change it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "view/screen/key_table.h"

namespace hm::screen {

struct TopState {
  enum class Mode : uint8_t { kTable, kSource, kHelp };

  Mode mode = Mode::kTable;
  size_t event = 0;  // counts up; the index is its remainder
  bool by_line = false, reasons = true, stopped = false, finished = false;
  std::string selected;  // key of the selected row; empty: the first row
  size_t row = 0;        // index of the selected row, which it had when it was selected
  size_t first = 0;      // index of the first row on the screen
  size_t scroll = 0;     // lines of the code or of the help above the screen

  bool operator==(const TopState&) const = default;
};

struct TopExtent {
  std::vector<std::string> rows;  // keys of the rows, hottest first
  size_t page = 1;                // number of rows or lines on the screen
  size_t lines = 0;               // of the code or of the help
};

// Returns the state after a key (picture.h).
[[nodiscard]] TopState pressed(TopState state, int key, const TopExtent& extent);
// Returns the index of the selected row. If that row is not there any more, another row has its index.
[[nodiscard]] size_t selected_row(const TopState& state, const std::vector<std::string>& rows);
// Returns the index of the first row on a screen with `page` rows. The selected row is on it.
[[nodiscard]] size_t first_row(const TopState& state, const TopExtent& extent);

// Return the keys: of the table of rows, and of the code and the help.
[[nodiscard]] std::vector<KeyText> top_keys();
[[nodiscard]] std::vector<KeyText> top_lines_keys();

}  // namespace hm::screen
