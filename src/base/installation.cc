// SPDX-License-Identifier: MIT
#include "base/installation.h"

#include "base/proc_folder.h"

namespace hm {

Result<std::filesystem::path> installation_folder() {
  if (Status there = check_proc(); !there) return there.error();
  std::error_code error;
  auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error)
    return make_error(ErrorCode::kUnsupported, "cannot determine where hardmeter is installed: {}",
                      error.message());
  return program.parent_path().parent_path();
}

}  // namespace hm
