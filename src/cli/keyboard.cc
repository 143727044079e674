// SPDX-License-Identifier: MIT
#include "cli/keyboard.h"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <string_view>

namespace hm::cli {
namespace {

// The codes CUB and CUF of ECMA-48, as terminals send them for arrow keys.
constexpr std::string_view kLeft = "\x1b[D", kRight = "\x1b[C";

}  // namespace

Keyboard::Keyboard() {
  termios modes = modes_.before();
  modes.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  modes.c_cc[VMIN] = modes.c_cc[VTIME] = 0;
  modes_.set_last_words("\x1b[?7h");  // wraps long lines again (cli/redrawn_text.cc)
  reads_ = modes_.set(modes);
}

std::string Keyboard::pressed() const {
  // The shell may have set other modes, in which read() would block for a line.
  pollfd keys_wait{STDIN_FILENO, POLLIN, 0};
  if (!reads_ || ::poll(&keys_wait, 1, 0) <= 0) return {};
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
