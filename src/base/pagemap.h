// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/unique_fd.h"

namespace hm {

// Where a process's memory lies in the machine's, as /proc/PID/pagemap tells it now (the kernel's
// Documentation/admin-guide/mm/pagemap.rst).
class Pagemap {
 public:
  explicit Pagemap(pid_t pid, const std::string& proc = "/proc");

  // nullopt where it is not in memory, or this user may not know (that takes CAP_SYS_ADMIN).
  [[nodiscard]] std::optional<uint64_t> physical(uint64_t address) const;

 private:
  UniqueFd pagemap_;
};

}  // namespace hm
