// SPDX-License-Identifier: MIT
#pragma once

#include "pmu/soft/launcher/run.h"

namespace hm::cli {

// One line on the terminal behind standard error that is written over and over; nothing where there is no
// terminal. Cleared at the end.
class StatusLine {
 public:
  StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine();

  void show(const soft::RunProgress& progress);

 private:
  bool on_terminal_;
  bool shown_ = false;
};

}  // namespace hm::cli
