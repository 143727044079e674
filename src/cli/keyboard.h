// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "view/screen/terminal_modes.h"

namespace hm::cli {

// The keys of a view that draws its text over itself (cli/redrawn_text.h): they are read as they are pressed,
// without being shown. The terminal's modes are restored when this goes, while the process is stopped, and
// when a signal ends the process. Without effect unless standard input and output are a terminal.
class Keyboard {
 public:
  Keyboard();

  // Returns the keys that were pressed since the last call, arrows as "<" and ">". Does not wait.
  [[nodiscard]] std::string pressed() const;
  // Whether the view has to be drawn anew, on a cleared screen.
  [[nodiscard]] bool take_redraw() { return modes_.take_redraw(); }
  // Whether Ctrl-Z has been pressed: call stop() as soon as nothing depends on this process.
  [[nodiscard]] static bool wants_stop() { return screen::TerminalModes::wants_stop(); }
  // As TerminalModes::stop().
  void stop(const std::function<bool()>& is_over) { modes_.stop(is_over); }

 private:
  screen::TerminalModes modes_;
  bool reads_ = false;
};

}  // namespace hm::cli
