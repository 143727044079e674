// SPDX-License-Identifier: MIT
// A child process that waits for the end of this process. If this process is killed (SIGKILL) or crashes, the
// child removes the copying engine from the measured running processes, and removes the session's folder.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/unique_fd.h"
#include "pmu/soft/inject/injector.h"

namespace hm::soft {

class Cleaner {
 public:
  // Cleans up nothing if the child process cannot be created.
  Cleaner(const EngineImage& image, const std::string& session_folder);
  Cleaner(const Cleaner&) = delete;
  Cleaner& operator=(const Cleaner&) = delete;
  // Without dismiss() the child cleans up once this process has ended.
  ~Cleaner() = default;

  // Ends the child, because nothing is left to clean up.
  void dismiss();

 private:
  pid_t child_ = -1;
  UniqueFd alive_;  // closed by the kernel when this process ends
};

}  // namespace hm::soft
