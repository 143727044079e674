// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace hm::cli {

// Returns "FIELD, FIELD, ...": as many fields, from the first on, as fit into the width. Control
// characters are escaped.
[[nodiscard]] std::string joined_to_fit(const std::vector<std::string>& fields, size_t width);

// One line on the terminal behind standard error that is overwritten repeatedly and cleared at the end.
// Nothing is written if standard error is not a terminal.
class StatusLine {
 public:
  // `quiet`: nothing is shown for so long. A program's output would continue behind the line, and short
  // programs need none.
  explicit StatusLine(std::chrono::milliseconds quiet = {});
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine();

  // Shows the fields, most important first. Fields that do not fit are omitted from the end.
  void show(const std::vector<std::string>& fields);

 private:
  bool on_terminal_;
  std::chrono::steady_clock::time_point begin_;
  bool shown_ = false;
};

}  // namespace hm::cli
