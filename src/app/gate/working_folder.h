// SPDX-License-Identifier: MIT
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "base/result.h"
#include "base/unique_fd.h"

namespace hm::gate {

// The destructor returns to the folder that was the current one.
class WorkingFolder {
 public:
  WorkingFolder() = default;
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;
  ~WorkingFolder() {
    if (before_.valid()) (void)!::fchdir(before_.get());
  }

  // Makes `folder` the current one. Fails with kInvalidArgument.
  [[nodiscard]] Status enter(const std::string& folder) {
    UniqueFd before(::open(".", O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!before.valid() || ::chdir(folder.c_str()) != 0)
      return make_error(ErrorCode::kInvalidArgument, "cannot enter the folder {}: {}", folder,
                        errno_text(errno));
    before_ = std::move(before);
    return {};
  }

 private:
  UniqueFd before_;
};

}  // namespace hm::gate
