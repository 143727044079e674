// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace hm::rdt {

// Writes threads into a group's list. The first add() opens the file.
class ThreadsFile {
 public:
  // `group`: full path of its folder.
  explicit ThreadsFile(const std::string& group) : path_(group + "/tasks") {}

  // Adds one thread, because kernels before 6.7 accept no more at a time. Fails with kNotFound if the thread
  // has ended, and with kInvalidArgument if it is in another control group. Only monitor groups of that
  // control group can contain the thread. Fails with kIo if the group no longer exists.
  [[nodiscard]] Status add(pid_t thread);

  void close() { file_.reset(); }

 private:
  std::string path_;
  UniqueFd file_;
};

// Fails with kInvalidArgument if a CPU is not online or belongs to another control group.
[[nodiscard]] Status write_cpus(const std::string& group, const std::vector<uint32_t>& cpus);

}  // namespace hm::rdt
