// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/temporary_folder.h"

namespace hm::cli {

// The user's browser, which opens a link that has a secret in it. Every user of the machine sees the
// arguments of all processes (/proc/PID/cmdline), so xdg-open gets the path of a page that this user alone
// can read, and that leads the browser to the link.
class Browser {
 public:
  // Whether there is a desktop to open one on.
  [[nodiscard]] static bool is_likely();
  // Does not wait for it. kIo if the page cannot be written, or xdg-open cannot be started.
  [[nodiscard]] static Result<std::unique_ptr<Browser>> open(const std::string& link);
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;
  ~Browser() = default;

  // Whether xdg-open has ended and reported that it opened no browser. True once.
  [[nodiscard]] bool has_failed();
  // Removes the page: the browser has followed the link, or takes too long to.
  void remove_page() { folder_.reset(); }

 private:
  Browser() : folder_(std::in_place) {}
  [[nodiscard]] Status write_page(const std::string& link) const;
  [[nodiscard]] Status start();
  [[nodiscard]] std::string page() const { return folder_->file("open.html"); }

  std::optional<TemporaryFolder> folder_;  // of mode 0700
  pid_t process_ = 0;                      // of xdg-open; 0: it has ended
};

}  // namespace hm::cli
