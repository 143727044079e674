// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace hm::cli {

// One line on the terminal behind standard error that is written over and over; nothing where there is no
// terminal. Cleared at the end.
class StatusLine {
 public:
  StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine();

  // The most important field first: what does not fit is left out from the end.
  void show(const std::vector<std::string>& fields);

 private:
  bool on_terminal_;
  bool shown_ = false;
};

}  // namespace hm::cli
