// SPDX-License-Identifier: MIT
// A child process that waits for the end of this one. If that comes by SIGKILL or a crash, the child removes
// the copying engine from the running processes that were measured, and the session's folder.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/unique_fd.h"
#include "pmu/soft/inject/injector.h"

namespace hm::soft {

class Cleaner {
 public:
  // Nothing is cleaned up if no process can be made.
  Cleaner(const EngineImage& image, const std::string& session_folder);
  Cleaner(const Cleaner&) = delete;
  Cleaner& operator=(const Cleaner&) = delete;
  // Without dismiss() the child goes to work once this process has ended.
  ~Cleaner() = default;

  // Nothing is left to clean up: the child ends.
  void dismiss();

 private:
  pid_t child_ = -1;
  UniqueFd alive_;  // closed by the kernel when this process ends
};

}  // namespace hm::soft
