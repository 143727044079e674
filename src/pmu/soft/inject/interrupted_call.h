// SPDX-License-Identifier: MIT
// Interprets the registers of a thread that a tracer has stopped in a system call (arch/x86/kernel/signal.c,
// arch_do_signal_or_restart).
#pragma once

#include <sys/user.h>

#include <cstdint>

namespace hm::soft {

// Whether the system call must be restarted. The kernel restarts it if the thread continues with its
// registers unchanged. If `by_us` is set, the kernel does not restart it, and the call would fail with EINTR
// although no signal arrived.
struct Restart {
  bool needed = false;
  bool by_us = false;
  uint64_t call = 0;  // system call number to restart with: its own, or restart_syscall's
};
[[nodiscard]] Restart restart_of(const user_regs_struct& registers);

// Returns registers with which the thread can be sent elsewhere and come back: those before the call if it
// must be restarted, otherwise the present ones. The kernel does not modify them when the thread continues.
[[nodiscard]] user_regs_struct settled(const user_regs_struct& registers);

}  // namespace hm::soft
