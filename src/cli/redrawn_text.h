// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace hm::cli {

// The terminal behind standard output, drawn over from its first line on (ECMA-48: CUP, EL, ED; DEC: DECAWM).
// Where there is none, one text follows the other.
class RedrawnText {
 public:
  RedrawnText();

  [[nodiscard]] bool on_terminal() const { return on_terminal_; }
  // How many lines fit.
  [[nodiscard]] static size_t rows();

  // The next text is shown on a cleared screen: another program has written there, or its size is another.
  void clear() { shown_ = false; }
  // Shows a text. Lines that are too long are cut, and lines that do not fit below are left out. Fails with
  // kIo if it cannot be written.
  [[nodiscard]] Status show(const std::string& text);

 private:
  bool on_terminal_;
  bool shown_ = false;
};

}  // namespace hm::cli
