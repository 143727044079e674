// SPDX-License-Identifier: MIT
// What a full screen shows, and what a person presses: all that is known of the terminal here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hm::screen {

struct Size {
  size_t rows = 24, columns = 80;
};

// Text in a place. Control characters are out of it.
struct Piece {
  size_t row = 0, column = 0;
  std::string text;
  uint8_t color = 0;  // 0: the terminal's own; others: kColors of them, as they come
  bool inverse = false;
};
inline constexpr uint8_t kColors = 12;

using Picture = std::vector<Piece>;

// A key: its character, or one of these.
enum Key : int {
  kNone = 0,
  kBackspace = 8,
  kEnter = 10,
  kEscape = 27,
  kLeft = 0x1000,
  kRight,
  kUp,
  kDown,
  kPageUp,
  kPageDown,
  kHome,
  kEnd,
  kResized,
  kFunction = 0x1100,  // F1 is the next one
};
[[nodiscard]] constexpr int function_key(int number) { return kFunction + number; }

}  // namespace hm::screen
