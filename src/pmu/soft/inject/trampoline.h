// SPDX-License-Identifier: MIT
// The trampoline of a process (direct/runtime/process_area.h). It is in the unused padding at the end of the
// vdso, the kernel's code in the process.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "base/result.h"
#include "pmu/soft/direct/runtime/process_area.h"

namespace hm::soft {

// `thread` of the process is stopped and traced by the caller.
class Trampoline {
 public:
  // Fails with kUnsupported if there is no room for the trampoline.
  static Result<Trampoline> put(pid_t process, pid_t thread);
  explicit Trampoline(uint64_t address) : address_(address) {}

  void remove(pid_t thread) const;

  [[nodiscard]] uint64_t address() const { return address_; }
  [[nodiscard]] bool holds(uint64_t ip) const {
    return ip >= address_ && ip < address_ + sizeof(direct::kTrampoline);
  }

 private:
  uint64_t address_;
};

}  // namespace hm::soft
