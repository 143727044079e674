// SPDX-License-Identifier: MIT
#include "cli/keyboard.h"

#include <unistd.h>

#include <string_view>

namespace hm::cli {
namespace {

// ECMA-48's CUB and CUF, as terminals send them.
constexpr std::string_view kLeft = "\x1b[D", kRight = "\x1b[C";

}  // namespace

Keyboard::Keyboard() : on_terminal_(::isatty(STDIN_FILENO) != 0 && ::tcgetattr(STDIN_FILENO, &before_) == 0) {
  if (!on_terminal_) return;
  termios raw = before_;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_cc[VMIN] = raw.c_cc[VTIME] = 0;
  on_terminal_ = ::tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
}

Keyboard::~Keyboard() {
  if (on_terminal_) ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
}

std::string Keyboard::pressed() const {
  if (!on_terminal_) return {};
  char bytes[64];
  ssize_t count = ::read(STDIN_FILENO, bytes, sizeof(bytes));
  std::string_view rest(bytes, count > 0 ? static_cast<size_t>(count) : 0);
  std::string keys;
  while (!rest.empty()) {
    bool left = rest.starts_with(kLeft), right = rest.starts_with(kRight);
    keys += left ? '<' : right ? '>' : rest.front();
    rest.remove_prefix(left || right ? kLeft.size() : 1);
  }
  return keys;
}

}  // namespace hm::cli
