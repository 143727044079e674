// SPDX-License-Identifier: MIT
#include "cli/redrawn_text.h"

#include <unistd.h>

#include <sstream>

#include "cli/output.h"

namespace hm::cli {

RedrawnText::RedrawnText() : on_terminal_(::isatty(STDOUT_FILENO) != 0) {}

size_t RedrawnText::rows() {
  constexpr size_t kDefaultRows = 24;
  size_t told = terminal_size(STDOUT_FILENO).rows;
  return told > 1 ? told : kDefaultRows;
}

Status RedrawnText::show(const std::string& text) {
  if (!on_terminal_) return write_output(text + '\n');
  std::istringstream lines(text);
  std::string out = shown_ ? "\x1b[?7l\x1b[H" : "\x1b[?7l\x1b[H\x1b[2J";
  shown_ = true;
  size_t left = rows();
  for (std::string line; left > 1 && std::getline(lines, line); --left) out += line + "\x1b[K\r\n";
  return write_output(out + "\x1b[J\x1b[?7h");
}

}  // namespace hm::cli
