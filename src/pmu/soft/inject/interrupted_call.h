// SPDX-License-Identifier: MIT
// The registers of a thread that a tracer has stopped in a system call (arch/x86/kernel/signal.c,
// arch_do_signal_or_restart).
#pragma once

#include <sys/user.h>

#include <cstdint>

namespace hm::soft {

// Whether the system call has to be restarted. The kernel restarts it if the thread continues unchanged.
// Otherwise (`by_us`) the tracer has to: the call would fail with EINTR although no signal arrived.
struct Restart {
  bool needed = false;
  bool by_us = false;
  uint64_t call = 0;  // number for the restart: the call's own, or restart_syscall's
};
[[nodiscard]] Restart restart_of(const user_regs_struct& registers);

// Returns the registers with which the thread can be sent elsewhere and come back: those before the call if
// it has to be restarted, otherwise the current ones. The kernel does not modify them.
[[nodiscard]] user_regs_struct settled(const user_regs_struct& registers);

}  // namespace hm::soft
