// SPDX-License-Identifier: MIT
// Full screen of `hardmeter map -p`: draws a state (map_state.h) and the map. It needs no terminal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/map/cache_map.h"
#include "view/screen/map_state.h"
#include "view/screen/picture.h"
#include "view/text/map_text.h"
#include "view/text/table.h"

namespace hm::screen {

class MapScreen {
 public:
  // `title`: what is measured. `style`: permitted characters and colours.
  MapScreen(std::string title, text::Style style, MapState first)
      : title_(std::move(title)), style_(style), state_(std::move(first)) {}

  // Replaces the map. `windows`: number of windows that are kept, of `measured` in all.
  void update(map::Map map, size_t windows, uint64_t measured);
  // Shows why there is no map.
  void show_message(std::string why);

  void resize(Size size) { size_ = size; }
  void press(int key);
  // New windows were measured: the displayed ones stay.
  void keep_windows(size_t windows);
  [[nodiscard]] const MapState& state() const { return state_; }
  [[nodiscard]] Picture draw() const;

 private:
  // Pieces of one line; their row is 0.
  using Line = std::vector<Piece>;

  [[nodiscard]] std::vector<std::string> conclusion() const;
  // Returns the cell without the codes of its colour.
  [[nodiscard]] std::string cell_text(const text::HeatStep& step) const;
  [[nodiscard]] Line legend() const;
  [[nodiscard]] std::vector<Line> heat_map() const;
  [[nodiscard]] std::vector<Line> body() const;
  [[nodiscard]] size_t body_room() const;
  [[nodiscard]] MapExtent extent() const;
  [[nodiscard]] std::string title() const;
  [[nodiscard]] std::string last_line() const;

  std::string title_;
  text::Style style_;
  MapState state_;
  std::optional<map::Map> map_;
  std::string why_ = "nothing has been measured yet";
  size_t windows_ = 0;
  uint64_t measured_ = 0;
  Size size_;
};

}  // namespace hm::screen
