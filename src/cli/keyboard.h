// SPDX-License-Identifier: MIT
#pragma once

#include <termios.h>

#include <string>

namespace hm::cli {

// The terminal behind standard input, whose keys are read as they are pressed, without being shown; as it was
// before once this goes. Nothing where there is none.
class Keyboard {
 public:
  Keyboard();
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;
  ~Keyboard();

  // What was pressed since the last time, arrows as "<" and ">"; does not wait.
  [[nodiscard]] std::string pressed() const;

 private:
  bool on_terminal_;
  termios before_{};
};

}  // namespace hm::cli
