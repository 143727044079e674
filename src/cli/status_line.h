// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hm::cli {

// "FIELD, FIELD, ...": as many, from the first on, as fit in a width.
[[nodiscard]] std::string joined_to_fit(const std::vector<std::string>& fields, size_t width);

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
