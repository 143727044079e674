// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>

#include "view/screen/picture.h"
#include "view/screen/terminal_modes.h"

namespace hm::screen {

// The terminal, taken over: its lines and modes come back when this goes, while the process is stopped, and
// when a signal ends the process. One at a time, and only where standard output and input are a terminal.
class Terminal {
 public:
  Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal();

  // Whether the terminal can do it: TERM names one that is known.
  [[nodiscard]] bool works() const { return works_; }
  [[nodiscard]] Size size() const;
  void show(const Picture& picture);
  // What is pressed next; kNone if nothing is pressed for `milliseconds`, or a signal comes; kResized if all
  // has to be drawn anew.
  [[nodiscard]] int wait(int milliseconds);

  // Whether Ctrl-Z has been pressed: call stop() as soon as nothing depends on this process.
  [[nodiscard]] static bool wants_stop() { return TerminalModes::wants_stop(); }
  // As TerminalModes::stop().
  void stop(const std::function<bool()>& is_over);
  // Nobody sees it any more: it was closed or hung up.
  [[nodiscard]] bool is_gone() const { return modes_.is_gone(); }

 private:
  struct Closer;

  TerminalModes modes_;  // before curses: it handles SIGTSTP only if nothing else does
  bool works_ = false;
  std::unique_ptr<Closer> closer_;
};

}  // namespace hm::screen
