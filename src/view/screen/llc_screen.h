// SPDX-License-Identifier: MIT
// Who holds the last-level cache, on a full screen: what keys do to it, and what it looks like. Pure: a
// terminal is not needed. What the user asks of the measurement (what rows stand for, how often), it tells.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/occupancy/snapshot.h"
#include "view/screen/llc_bar.h"
#include "view/screen/llc_history.h"
#include "view/screen/llc_rows.h"
#include "view/screen/llc_words.h"
#include "view/screen/picture.h"

namespace hm::screen {

class LlcScreen {
 public:
  static constexpr double kShortestDelay_s = 0.02, kLongestDelay_s = 86400;

  // Rows may stand for what is `possible`, and stand for the first of these at the beginning. `drawing`:
  // Unicode's drawing characters can be shown.
  LlcScreen(std::vector<occupancy::By> possible, double delay_s, bool drawing);
  LlcScreen(const LlcScreen&) = delete;
  LlcScreen& operator=(const LlcScreen&) = delete;

  // While it is paused, what is seen stays as it is.
  void update(occupancy::Snapshot snapshot);
  // Until a key is pressed.
  void tell(std::string message) { message_ = std::move(message); }
  // Nothing more is to come: said from now on.
  void end(std::string why) { ended_ = std::move(why); }

  void resize(Size size) { size_ = size; }
  void press(int key);
  [[nodiscard]] Picture draw();

  [[nodiscard]] bool finished() const { return finished_; }
  [[nodiscard]] bool paused() const { return paused_; }
  [[nodiscard]] double delay_s() const { return delay_s_; }
  // What rows are to stand for.
  [[nodiscard]] occupancy::By wanted_by() const { return by_; }
  // The key of the chosen row; empty: there is none.
  [[nodiscard]] std::string chosen();

 private:
  enum class Mode { kRows, kSearch, kFilter, kDelay, kDetails, kRemarks, kHelp };

  void press_in_rows(int key);
  bool press_to_choose(int key);
  bool press_to_sort(int key);
  bool press_to_change_the_view(int key);
  void press_to_measure(int key);
  void press_while_typing(int key);
  void press_in_lines(int key);
  void type(Mode mode, std::string text);
  void take_what_was_typed();
  void take_delay();
  void open(Mode mode);
  void leave();
  void pause();
  void sort_by(LlcSort sort);
  void next_sort(bool forward);
  void next_by();
  void search_on(bool from_chosen);
  void choose(size_t index);
  [[nodiscard]] bool is_typing() const;
  [[nodiscard]] const std::vector<ShownRow>& rows();
  void find_chosen();

  void draw_title(Picture& picture) const;
  [[nodiscard]] std::vector<std::string> head_lines() const;
  void draw_rows(Picture& picture);
  size_t draw_head(Picture& picture) const;
  void draw_table(size_t row, size_t room, Picture& picture);
  void draw_plot(size_t row, size_t height, Picture& picture);
  void draw_times(size_t row, size_t first, size_t columns, Picture& picture) const;
  void draw_lines(Picture& picture);
  void draw_status(Picture& picture) const;
  [[nodiscard]] std::vector<std::string> lines();
  [[nodiscard]] std::string status() const;
  [[nodiscard]] size_t plot_rows(size_t table);
  [[nodiscard]] std::vector<PlotValue> values_of(const std::string& key, size_t columns) const;

  std::vector<occupancy::By> possible_;
  occupancy::By by_;
  double delay_s_;
  bool drawing_;
  Size size_;
  Mode mode_ = Mode::kRows;
  std::optional<occupancy::Snapshot> shown_;
  std::optional<occupancy::Snapshot> later_;  // that came while it is paused
  LlcHistory history_;
  LlcBar bar_;
  LlcOrder order_;
  LlcUnit unit_ = LlcUnit::kAuto;
  size_t values_a_column_ = 1;                 // of the plots
  std::optional<std::vector<ShownRow>> rows_;  // of shown_; none: to be found anew
  std::string chosen_key_;                     // empty: the first one, whichever it is
  size_t chosen_ = 0, first_ = 0;              // its place, and that of the first row on the screen
  size_t scroll_ = 0;                          // of lines
  std::string typed_, search_, message_, ended_;
  bool paused_ = false, finished_ = false;
};

}  // namespace hm::screen
