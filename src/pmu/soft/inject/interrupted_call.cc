// SPDX-License-Identifier: MIT
#include "pmu/soft/inject/interrupted_call.h"

#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

namespace hm::soft {
namespace {

// include/linux/errno.h
constexpr int64_t kRestartSys = 512, kRestartNoIntr = 513, kRestartNoHand = 514, kRestartBlock = 516;
constexpr uint64_t kNoCall = ~uint64_t{0};

// Calls that fail with EINTR if a tracer or SIGSTOP interrupts them (signal(7), "Interruption of system calls
// and library functions by stop signals").
bool fails_without_signal(uint64_t call) {
  constexpr long kCalls[] = {SYS_epoll_wait,   SYS_epoll_pwait, SYS_epoll_pwait2, SYS_semop,
                             SYS_semtimedop,   SYS_msgrcv,      SYS_msgsnd,       SYS_rt_sigtimedwait,
                             SYS_io_getevents, SYS_recvfrom,    SYS_recvmsg,      SYS_recvmmsg,
                             SYS_accept,       SYS_accept4,     SYS_io_pgetevents};
  return std::ranges::find(kCalls, static_cast<long>(call)) != std::end(kCalls);
}

}  // namespace

Restart restart_of(const user_regs_struct& registers) {
  if (registers.orig_rax == kNoCall || static_cast<int64_t>(registers.orig_rax) < 0) return {};
  switch (-static_cast<int64_t>(registers.rax)) {
    case kRestartSys:
    case kRestartNoIntr:
    case kRestartNoHand:
      return {true, false, registers.orig_rax};
    case kRestartBlock:
      return {true, false, SYS_restart_syscall};
    case EINTR:
      if (!fails_without_signal(registers.orig_rax)) return {};
      return {true, true, registers.orig_rax};
    default:
      return {};
  }
}

user_regs_struct settled(const user_regs_struct& registers) {
  constexpr uint64_t kInstructionBytes = 2;
  user_regs_struct regs = registers;
  if (Restart restart = restart_of(registers); restart.needed) {
    regs.rax = restart.call;
    regs.rip -= kInstructionBytes;
  }
  regs.orig_rax = kNoCall;
  return regs;
}

}  // namespace hm::soft
