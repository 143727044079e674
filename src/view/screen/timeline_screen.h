// SPDX-License-Identifier: MIT
// Full screen of a time line: how keys change it, and how it is drawn. It needs no terminal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/timeline/episodes.h"
#include "analysis/timeline/history.h"
#include "view/screen/picture.h"

namespace hm::screen {

class TimelineScreen {
 public:
  // The history must live until update() replaces it. `about` holds lines about the recording. The screen
  // starts with the rows and the time range of `first`.
  TimelineScreen(const timeline::History& history, std::string about, const timeline::Window& first);

  // Replaces the history by a later one of the same processes, which may have forgotten its beginning. The
  // visible range stays, or, after follow(), becomes the last `span_ns`.
  void update(const timeline::History& history, std::string about);
  void follow(uint64_t span_ns);
  // Shows a message until a key is pressed.
  void show_message(std::string message) { message_ = std::move(message); }

  void resize(Size size);
  void press(int key);
  [[nodiscard]] bool finished() const { return finished_; }
  [[nodiscard]] Picture draw();

  // The visible window, since the first sample.
  [[nodiscard]] uint64_t begin_ns() const { return begin_ns_; }
  [[nodiscard]] uint64_t end_ns() const { return end_ns_; }
  // Returns the cell of the cursor.
  [[nodiscard]] size_t cursor() const;

 private:
  enum class Mode { kLanes, kSamples, kSearch, kAbout, kHelp };

  void press_in_lanes(int key);
  void press_in_search(int key);
  void move_cursor(bool right);
  void pan(bool right, uint64_t by_ns);
  void zoom(bool in);
  void show_range(uint64_t begin_ns, uint64_t lasts_ns);
  void center_on(uint64_t time_ns, uint64_t lasts_ns);
  void next_by();
  void search_on();
  void jump_to_episode(bool forward);
  [[nodiscard]] uint64_t cell_ns() const;
  [[nodiscard]] uint64_t cursor_cell_ns() const;  // start of the cell
  [[nodiscard]] size_t cells() const;
  [[nodiscard]] const timeline::Timeline& seen();

  void draw_head(Picture& picture);
  size_t draw_lanes(Picture& picture, size_t room);
  void draw_lane(const timeline::Lane& lane, size_t row, bool chosen, Picture& picture) const;
  void draw_legend(size_t row, Picture& picture);
  void draw_status(Picture& picture);
  [[nodiscard]] std::string time(uint64_t at) const;
  [[nodiscard]] std::string status() const;
  void draw_lines(const std::vector<std::string>& lines, Picture& picture);
  [[nodiscard]] std::vector<std::string> sample_lines() const;

  const timeline::History* history_;
  std::string about_;
  timeline::By by_;
  std::vector<timeline::Episode> episodes_;
  Size size_;
  uint64_t begin_ns_ = 0, end_ns_ = 1;
  std::optional<uint64_t> following_ns_;
  uint64_t cursor_ns_ = 0;  // in the window
  size_t lane_ = 0;         // index of the chosen lane
  size_t scroll_ = 0;       // lanes or lines above the screen
  Mode mode_ = Mode::kLanes;
  std::string search_, message_;
  bool finished_ = false;
  std::optional<timeline::Timeline> seen_;  // what is shown; nullopt: must be computed again
};

}  // namespace hm::screen
