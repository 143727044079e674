// SPDX-License-Identifier: MIT
// What the kernel leaves in the registers of a thread that a tracer has stopped in a system call
// (arch/x86/kernel/signal.c, arch_do_signal_or_restart).
#pragma once

#include <sys/user.h>

#include <cstdint>

namespace hm::soft {

// Whether the call is to be begun anew: the kernel does so where the thread continues as it is, or (`by_us`)
// it does not, and the call would fail with EINTR that no signal has caused.
struct Restart {
  bool needed = false;
  bool by_us = false;
  uint64_t call = 0;  // the number with which it is begun anew: its own, or restart_syscall's
};
[[nodiscard]] Restart restart_of(const user_regs_struct& registers);

// The registers with which the thread can be sent elsewhere and come back: those before the call that is to
// be begun anew, or those as they are. The kernel changes nothing of them.
[[nodiscard]] user_regs_struct settled(const user_regs_struct& registers);

}  // namespace hm::soft
