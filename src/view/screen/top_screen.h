// SPDX-License-Identifier: MIT
// Full screen of `hardmeter top`: draws a state (top_state.h) and what was measured. It needs no terminal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/cause/cause.h"
#include "analysis/hotspots/hotspots.h"
#include "view/screen/picture.h"
#include "view/screen/top_state.h"

namespace hm::screen {

// What was measured of one event. The results must live until the next update().
struct TopTables {
  const hotspots::Hotspots* functions = nullptr;
  const hotspots::Hotspots* lines = nullptr;
  const cause::Causes* causes = nullptr;
  std::string remark{};  // a limit of the counts; empty: none
};

class TopScreen {
 public:
  // `title`: what is measured.
  explicit TopScreen(std::string title) : title_(std::move(title)) {}

  // Replaces the tables. `head`: lines about all events.
  void update(std::vector<TopTables> events, std::vector<std::string> head);
  // Replaces the progress, most important part first. `waiting`: why there is no table yet.
  void progress(std::vector<std::string> fields, std::string waiting) {
    fields_ = std::move(fields);
    waiting_ = std::move(waiting);
  }
  // Replaces the code that Enter shows.
  void show_code(const std::string& text);

  void resize(Size size) { size_ = size; }
  void press(int key);
  [[nodiscard]] const TopState& state() const { return state_; }
  // Returns the index of the shown event among those of update(); nullopt if there are none.
  [[nodiscard]] std::optional<size_t> event() const;
  // Returns the index of the selected row in the shown table.
  [[nodiscard]] size_t row() const { return selected_row(state_, row_keys()); }
  [[nodiscard]] Picture draw() const;

 private:
  // How many lines each part of the rows' view has. The parts follow each other on the screen.
  struct Layout {
    std::vector<std::string> above;  // the head and the table's title and headings
    std::vector<std::string> rows;   // of the whole table
    size_t page = 0;                 // rows on the screen
    std::vector<std::string> below;
  };

  [[nodiscard]] const hotspots::Hotspots* table() const;
  [[nodiscard]] std::vector<std::string> row_keys() const;
  [[nodiscard]] size_t width() const { return size_.columns; }
  [[nodiscard]] Layout layout() const;
  [[nodiscard]] TopExtent extent() const;
  [[nodiscard]] std::vector<std::string> reasons() const;
  [[nodiscard]] std::vector<std::string> lines() const;
  [[nodiscard]] std::string last_line() const;
  void draw_title(Picture& picture) const;
  void draw_rows(Picture& picture) const;
  void draw_lines(Picture& picture) const;

  std::string title_, waiting_;
  std::vector<std::string> fields_, head_, code_;
  std::vector<TopTables> events_;
  TopState state_;
  Size size_;
};

}  // namespace hm::screen
