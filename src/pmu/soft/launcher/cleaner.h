// SPDX-License-Identifier: MIT
// A child process that waits for the end of the recorder. If the recorder ends by SIGKILL or a crash, the
// child removes the copying engine from the measured processes, and deletes the session folder.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/unique_fd.h"
#include "pmu/soft/inject/injector.h"

namespace hm::soft {

class Cleaner {
 public:
  // If fork(2) fails, there is no cleanup.
  Cleaner(const EngineImage& image, const std::string& session_folder);
  Cleaner(const Cleaner&) = delete;
  Cleaner& operator=(const Cleaner&) = delete;
  // Unless dismiss() was called, the child begins the cleanup when this process ends.
  ~Cleaner() = default;

  // Ends the child without any cleanup.
  void dismiss();

 private:
  pid_t child_ = -1;
  UniqueFd alive_;  // write end of a pipe; the kernel closes it when this process ends
};

}  // namespace hm::soft
