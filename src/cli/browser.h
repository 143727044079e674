// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/temporary_folder.h"

namespace hm::cli {

// Opens a link that contains a secret in the user's browser. Every user of the machine can read the arguments
// of all processes (/proc/PID/cmdline). Therefore xdg-open gets the path of a page that only this user can
// read, and that page redirects the browser to the link.
class Browser {
 public:
  // Returns whether there is a desktop session to open a browser in.
  [[nodiscard]] static bool is_likely();
  // Does not wait for the browser. Fails with kIo if the page cannot be written or xdg-open cannot be
  // started.
  [[nodiscard]] static Result<std::unique_ptr<Browser>> open(const std::string& link);
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;
  ~Browser() = default;

  // Returns true once after xdg-open has ended and reported that it could not open a browser.
  [[nodiscard]] bool has_failed();
  // Removes the page, after the browser has followed the link or a timeout.
  void remove_page() { folder_.reset(); }

 private:
  Browser() : folder_(std::in_place) {}
  [[nodiscard]] Status write_page(const std::string& link) const;
  [[nodiscard]] Status start();
  [[nodiscard]] std::string page() const { return folder_->file("open.html"); }

  std::optional<TemporaryFolder> folder_;  // mode 0700
  pid_t process_ = 0;                      // PID of xdg-open, 0 after it has ended
};

}  // namespace hm::cli
