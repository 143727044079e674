// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/unique_fd.h"

namespace hm {

// Translates a process's virtual addresses to physical addresses by /proc/PID/pagemap, as currently mapped
// (Documentation/admin-guide/mm/pagemap.rst in the Linux source).
class Pagemap {
 public:
  explicit Pagemap(pid_t pid, const std::string& proc = "/proc");

  // Returns nullopt if the page is not in memory or this user lacks the permission (CAP_SYS_ADMIN).
  [[nodiscard]] std::optional<uint64_t> physical(uint64_t address) const;
  // Returns true if the page is in memory, so that reading it causes no page fault. Needs no permission
  // beyond reading the process's /proc/PID/pagemap.
  [[nodiscard]] bool is_present(uint64_t address) const;

 private:
  [[nodiscard]] uint64_t entry_of(uint64_t address) const;

  UniqueFd pagemap_;
};

}  // namespace hm
