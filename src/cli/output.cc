// SPDX-License-Identifier: MIT
#include "cli/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace hm::cli {

text::Style output_style() {
  text::Style style;
  if (::isatty(STDOUT_FILENO) == 0) return style;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) style.width = size.ws_col;
  const char* no_color = std::getenv("NO_COLOR");
  style.color = no_color == nullptr || *no_color == '\0';
  return style;
}

Status write_output(std::string_view text) {
  while (!text.empty()) {
    ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EPIPE) return {};
    if (written < 0) return make_error(ErrorCode::kIo, "cannot write the result: {}", errno_text(errno));
    text.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

}  // namespace hm::cli
