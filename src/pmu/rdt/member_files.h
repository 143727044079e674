// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace hm::rdt {

// Writes threads into a group's list; the file is open from the first one on.
class ThreadsFile {
 public:
  // `group`: the whole path of its folder.
  explicit ThreadsFile(const std::string& group) : path_(group + "/tasks") {}

  // One at a time, as kernels before 6.7 take no more. kNotFound where the thread has ended;
  // kInvalidArgument where it is in another control group, whose monitor groups alone can take it; kIo where
  // the group is no more.
  [[nodiscard]] Status add(pid_t thread);

  void close() { file_.reset(); }

 private:
  std::string path_;
  UniqueFd file_;
};

// kInvalidArgument where one is not online, or belongs to another control group.
[[nodiscard]] Status write_cpus(const std::string& group, const std::vector<uint32_t>& cpus);

}  // namespace hm::rdt
