// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace hm::rdt {

// Writes threads into a group's list. The file is opened for the first thread and then kept open.
class ThreadsFile {
 public:
  // `group`: absolute path of the group's folder.
  explicit ThreadsFile(const std::string& group) : path_(group + "/tasks") {}

  // Adds one thread; kernels before 6.7 accept only one per write. Fails with kNotFound if the thread has
  // ended, kInvalidArgument if it is in another control group (only that group's monitor groups can take it),
  // and kIo if the group no longer exists.
  [[nodiscard]] Status add(pid_t thread);

  void close() { file_.reset(); }

 private:
  std::string path_;
  UniqueFd file_;
};

// Fails with kInvalidArgument if a CPU is not online or belongs to another control group.
[[nodiscard]] Status write_cpus(const std::string& group, const std::vector<uint32_t>& cpus);

}  // namespace hm::rdt
