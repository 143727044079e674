// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "view/screen/terminal_modes.h"

namespace hm::cli {

// Reads the keys of a view that redraws its text in place (cli/redrawn_text.h), as they are pressed and
// without echo. The terminal's modes are restored on destruction, while the process is stopped, and when a
// signal ends the process. No effect unless standard input and output are a terminal.
class Keyboard {
 public:
  Keyboard();

  // Returns the keys that were pressed since the last call, arrows as "<" and ">". Does not wait.
  [[nodiscard]] std::string pressed() const;
  // Returns whether the view must be redrawn on a cleared screen.
  [[nodiscard]] bool take_redraw() { return modes_.take_redraw(); }
  // Returns whether Ctrl-Z has been pressed. Call stop() as soon as nothing depends on this process.
  [[nodiscard]] static bool wants_stop() { return screen::TerminalModes::wants_stop(); }
  // Like TerminalModes::stop().
  void stop(const std::function<bool()>& is_over) { modes_.stop(is_over); }

 private:
  screen::TerminalModes modes_;
  bool reads_ = false;
};

}  // namespace hm::cli
