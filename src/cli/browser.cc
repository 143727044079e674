// SPDX-License-Identifier: MIT
#include "cli/browser.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>

#include "base/unique_fd.h"

namespace hm::cli {

bool Browser::is_likely() {
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY") || is_set("BROWSER");
}

Result<std::unique_ptr<Browser>> Browser::open(const std::string& link) {
  std::unique_ptr<Browser> browser(new Browser);
  if (Status written = browser->write_page(link); !written) return written.error();
  if (Status started = browser->start(); !started) return started.error();
  return browser;
}

// The link needs no escaping, because it contains only letters and digits in its variable parts.
Status Browser::write_page(const std::string& link) const {
  const auto failed = [this] {
    return make_error(ErrorCode::kIo, "cannot write a page for the browser below $TMPDIR or /tmp: {}",
                      errno_text(errno));
  };
  if (!folder_->exists()) return failed();
  UniqueFd file(::open(page().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  std::string text = fmt::format(
      "<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">"
      "<meta http-equiv=\"refresh\" content=\"0;url={0}\"><title>hardmeter</title><a "
      "href=\"{0}\">hardmeter</a>\n",
      link);
  bool written =
      file.valid() && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
  return written ? Status() : failed();
}

// Discards the browser's output.
Status Browser::start() {
  std::string program = "xdg-open", path = page();
  char* words[] = {program.data(), path.data(), nullptr};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (int descriptor : {STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0);
  int error = ::posix_spawnp(&process_, program.c_str(), &actions, nullptr, words, environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error == 0) return {};
  process_ = 0;
  return make_error(ErrorCode::kIo, "cannot start xdg-open: {}", errno_text(error));
}

bool Browser::has_failed() {
  int status = 0;
  if (process_ == 0 || ::waitpid(process_, &status, WNOHANG) != process_) return false;
  process_ = 0;
  return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

}  // namespace hm::cli
