// SPDX-License-Identifier: MIT
#pragma once

#include <termios.h>

#include <functional>
#include <string_view>

namespace hm::screen {

// The modes (termios(3)) of the terminal behind standard input while a view changes them. They are restored
// on destruction, while the process is stopped (Ctrl-Z), and when a signal ends the process or it aborts. The
// signals that the program handles itself keep their handlers. Only one object may exist at a time, and only
// one thread may use it.
class TerminalModes {
 public:
  // Changes nothing yet.
  TerminalModes();
  TerminalModes(const TerminalModes&) = delete;
  TerminalModes& operator=(const TerminalModes&) = delete;
  ~TerminalModes();

  // Returns whether standard input and output are a terminal. If not, all functions here have no effect.
  [[nodiscard]] bool on_terminal() const { return on_terminal_; }
  [[nodiscard]] const termios& before() const { return before_; }
  // Sets the modes of the view. Returns false if the terminal refuses them. If this process is in the
  // background, the kernel stops it here until it is in the foreground (SIGTTOU).
  [[nodiscard]] bool set(const termios& modes);
  // Records the terminal's current modes, which the view has set by other means (curses), as the view's
  // modes.
  void adopt_current();
  // Bytes that are written to the terminal if a signal ends the process, such as those that leave its second
  // screen. At most kMaxLastWords.
  void set_last_words(std::string_view bytes);
  static constexpr size_t kMaxLastWords = 256;

  // Returns whether this process may change the terminal. Another process uses it while this one is in the
  // background.
  [[nodiscard]] static bool is_in_foreground();
  // Returns whether Ctrl-Z (SIGTSTP) has been pressed since stop() returned, or the process was continued in
  // the background.
  [[nodiscard]] static bool wants_stop();
  // Restores the modes, and stops the process as SIGTSTP does by default. Returns when the process is
  // continued in the foreground, or when it is continued and `is_over` returns true. take_redraw() returns
  // true then.
  void stop(const std::function<bool()>& is_over);
  // Returns whether the view must be redrawn: since the last call the process was continued (SIGCONT), or the
  // window was resized (SIGWINCH, if nothing else handles it). Sets the view's modes again.
  [[nodiscard]] bool take_redraw();
  // Returns whether the terminal was closed or its line was hung up.
  [[nodiscard]] bool is_gone() const;

 private:
  void restore() const;

  termios before_{}, view_{};
  bool on_terminal_, changed_ = false;
};

}  // namespace hm::screen
