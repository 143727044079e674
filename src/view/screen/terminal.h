// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>

#include "view/screen/picture.h"
#include "view/screen/terminal_modes.h"

namespace hm::screen {

// Takes over the terminal. Restores its contents and modes on destruction, while the process is stopped, and
// when a signal ends the process. Only one object may exist at a time, and only if standard output and input
// are a terminal.
class Terminal {
 public:
  // `color`: colours may be used, if the terminal has them.
  explicit Terminal(bool color);
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal();

  // Returns whether the terminal is supported: TERM must name a known type.
  [[nodiscard]] bool works() const { return works_; }
  [[nodiscard]] Size size() const;
  void show(const Picture& picture);
  // Returns the next key. Returns kNone if no key is pressed for `milliseconds` or a signal arrives, kResized
  // if the screen must be redrawn.
  [[nodiscard]] int wait(int milliseconds);

  // Returns whether Ctrl-Z has been pressed. Call stop() as soon as nothing depends on this process.
  [[nodiscard]] static bool wants_stop() { return TerminalModes::wants_stop(); }
  // Like TerminalModes::stop().
  void stop(const std::function<bool()>& is_over);
  // Returns whether the terminal was closed or hung up.
  [[nodiscard]] bool is_gone() const { return modes_.is_gone(); }

 private:
  struct Closer;

  TerminalModes modes_;  // before curses: it handles SIGTSTP only if nothing else does
  bool works_ = false, color_;
  std::unique_ptr<Closer> closer_;
};

}  // namespace hm::screen
