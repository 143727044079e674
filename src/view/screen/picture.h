// SPDX-License-Identifier: MIT
// Content of a full screen, and the keys a user presses. This is the only interface to the terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hm::screen {

struct Size {
  size_t rows = 24, columns = 80;
};

// Text at a position. It must not contain control characters.
struct Piece {
  size_t row = 0, column = 0;
  std::string text;
  uint8_t color = 0;  // 0: the terminal's default colour; 1 to kColors: distinct colours
  bool inverse = false;
};
inline constexpr uint8_t kColors = 12;

using Picture = std::vector<Piece>;

// A key: a character code or one of these constants.
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
  kFunction = 0x1100,  // F1 is kFunction + 1
};
[[nodiscard]] constexpr int function_key(int number) { return kFunction + number; }

}  // namespace hm::screen
