// SPDX-License-Identifier: MIT
// Full screen of last-level cache occupancy: how keys change it, and how it is drawn. It needs no terminal.
// It only exposes the user's settings for the measurement (what rows stand for, the delay).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/occupancy/snapshot.h"
#include "view/screen/llc_bar.h"
#include "view/screen/llc_history.h"
#include "view/screen/llc_rows.h"
#include "view/screen/llc_texts.h"
#include "view/screen/picture.h"

namespace hm::screen {

class LlcScreen {
 public:
  static constexpr double kShortestDelay_s = 0.02, kLongestDelay_s = 86400;

  // Rows can stand for each of `possible`; the first of them is selected at the beginning. `drawing`: the
  // terminal can show Unicode's drawing characters.
  LlcScreen(std::vector<occupancy::By> possible, double delay_s, bool drawing);
  LlcScreen(const LlcScreen&) = delete;
  LlcScreen& operator=(const LlcScreen&) = delete;

  // While the screen is paused, the displayed snapshot stays.
  void update(occupancy::Snapshot snapshot);
  // Shows a message until a key is pressed.
  void show_message(std::string message) { message_ = std::move(message); }
  // Marks the measurement as ended. The screen shows the reason from now on.
  void end(std::string why) { ended_ = std::move(why); }

  void resize(Size size) { size_ = size; }
  void press(int key);
  [[nodiscard]] Picture draw();

  [[nodiscard]] bool finished() const { return finished_; }
  [[nodiscard]] bool paused() const { return paused_; }
  [[nodiscard]] double delay_s() const { return delay_s_; }
  // Returns the grouping of rows that the user has selected.
  [[nodiscard]] occupancy::By wanted_by() const { return by_; }
  // Returns the key of the chosen row; empty if there are no rows.
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
  std::optional<occupancy::Snapshot> later_;  // arrived while the screen is paused
  LlcHistory history_;
  LlcBar bar_;
  LlcOrder order_;
  LlcUnit unit_ = LlcUnit::kAuto;
  size_t values_a_column_ = 1;                 // values per column in plots
  std::optional<std::vector<ShownRow>> rows_;  // rows of shown_; nullopt: must be computed again
  std::string chosen_key_;                     // empty: the first row
  size_t chosen_ = 0, first_ = 0;              // index of the chosen row, and of the first row on the screen
  size_t scroll_ = 0;                          // lines above the screen
  std::string typed_, search_, message_, ended_;
  bool paused_ = false, finished_ = false;
};

}  // namespace hm::screen
