// SPDX-License-Identifier: MIT
#include "base/proc_folder.h"

#include <fmt/format.h>
#include <unistd.h>

namespace hm {

Status check_proc(const std::string& folder) {
  if (::access((folder + "/self/exe").c_str(), F_OK) == 0) return {};
  bool is_foreign = ::access((folder + "/sys/kernel").c_str(), F_OK) == 0;
  return make_error(
      ErrorCode::kUnsupported,
      "{}, where hardmeter finds programs, threads and its own engine; run `mount -t proc proc {}`",
      is_foreign ? fmt::format("{} is of another PID namespace", folder)
                 : fmt::format("no proc file system is mounted at {}", folder),
      folder);
}

}  // namespace hm
