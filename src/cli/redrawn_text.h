// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace hm::cli {

// Redraws text on the terminal behind standard output from its first line on (ECMA-48: CUP, EL, ED; DEC:
// DECAWM). If standard output is not a terminal, the texts follow each other.
class RedrawnText {
 public:
  RedrawnText();

  [[nodiscard]] bool on_terminal() const { return on_terminal_; }
  // Returns how many lines fit.
  [[nodiscard]] static size_t rows();

  // Shows the next text on a cleared screen, because another program has written to it or its size has
  // changed.
  void clear() { shown_ = false; }
  // Shows a text. Cuts lines that are too long, and omits lines that do not fit at the bottom. Fails with
  // kIo if it cannot be written.
  [[nodiscard]] Status show(const std::string& text);

 private:
  bool on_terminal_;
  bool shown_ = false;
};

}  // namespace hm::cli
