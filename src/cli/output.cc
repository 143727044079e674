// SPDX-License-Identifier: MIT
#include "cli/output.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>

#include "view/text/format.h"

namespace hm::cli {
namespace {

// Returns 0 or an errno value.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

// Decides by the locale's name (locale(7)), which determines the terminal's characters.
bool locale_is_utf8() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    std::string_view name = value;
    return name.ends_with(".UTF-8") || name.ends_with(".utf8");
  }
  return false;
}

}  // namespace

TerminalSize terminal_size(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0) return {};
  return {size.ws_col, size.ws_row};
}

text::Style output_style(bool full_names) {
  text::Style style;
  style.full_names = full_names;
  if (::isatty(STDOUT_FILENO) == 0) return style;
  style.width = terminal_size(STDOUT_FILENO).columns;
  style.drawing = locale_is_utf8();
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  bool is_dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  style.color = !is_dumb && (no_color == nullptr || *no_color == '\0');
  return style;
}

Status write_output(std::string_view text) {
  int error = write_all(STDOUT_FILENO, text);
  if (error == 0 || error == EPIPE) return {};
  return make_error(ErrorCode::kIo, "cannot write the result: {}", errno_text(error));
}

Result<int> print(std::string_view text, int status) {
  if (Status written = write_output(text); !written) return written.error();
  return status;
}

Status write_file(const std::string& path, std::string_view text) {
  struct stat before {};
  bool is_new = ::lstat(path.c_str(), &before) != 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (file) return {};
  Error failure = make_error(ErrorCode::kIo, "cannot write {}: {}", path, errno_text(errno));
  if (is_new) ::unlink(path.c_str());
  return failure;
}

void write_message(std::string_view text) { write_to_terminal(text::printable_lines(text)); }

void write_sentences(std::string_view text) {
  size_t columns = ::isatty(STDERR_FILENO) != 0 ? terminal_size(STDERR_FILENO).columns : 0;
  write_to_terminal(text::printable_lines(text, columns));
}

void write_to_terminal(std::string_view text) { (void)write_all(STDERR_FILENO, text); }

int fail(std::string_view message, int status) {
  write_sentences(fmt::format("hardmeter: {}\n", text::printable(message)));
  return status;
}

}  // namespace hm::cli
