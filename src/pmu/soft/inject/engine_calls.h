// SPDX-License-Identifier: MIT
// The system calls that the copying engine makes for itself, or in place of a call of the program.
// tests/style/engine_calls.py finds calls that are missing here.
#pragma once

#include <sys/syscall.h>

#include <cstdint>

namespace hm::soft {

struct EngineCall {
  uint32_t number;
  const char* name;
};

inline constexpr EngineCall kEngineCalls[] = {
    {SYS_read, "read"},
    {SYS_write, "write"},
    {SYS_open, "open"},
    {SYS_close, "close"},
    {SYS_stat, "stat"},
    {SYS_fstat, "fstat"},
    {SYS_lseek, "lseek"},
    {SYS_mmap, "mmap"},
    {SYS_mprotect, "mprotect"},
    {SYS_munmap, "munmap"},
    {SYS_brk, "brk"},
    {SYS_rt_sigaction, "rt_sigaction"},
    {SYS_rt_sigprocmask, "rt_sigprocmask"},
    {SYS_rt_sigreturn, "rt_sigreturn"},
    {SYS_ioctl, "ioctl"},
    {SYS_pread64, "pread64"},
    {SYS_sched_yield, "sched_yield"},
    {SYS_mincore, "mincore"},
    {SYS_madvise, "madvise"},
    {SYS_getpid, "getpid"},
    {SYS_recvmsg, "recvmsg"},
    {SYS_socketpair, "socketpair"},
    {SYS_exit, "exit"},
    {SYS_exit_group, "exit_group"},
    {SYS_kill, "kill"},
    {SYS_fcntl, "fcntl"},
    {SYS_ftruncate, "ftruncate"},
    {SYS_readlink, "readlink"},
    {SYS_fchmod, "fchmod"},
    {SYS_geteuid, "geteuid"},
    {SYS_getppid, "getppid"},
    {SYS_rt_sigpending, "rt_sigpending"},
    {SYS_rt_sigtimedwait, "rt_sigtimedwait"},
    {SYS_rt_sigqueueinfo, "rt_sigqueueinfo"},
    {SYS_sigaltstack, "sigaltstack"},
    {SYS_prctl, "prctl"},
    {SYS_arch_prctl, "arch_prctl"},
    {SYS_gettid, "gettid"},
    {SYS_futex, "futex"},
    {SYS_sched_getaffinity, "sched_getaffinity"},
    {SYS_getdents64, "getdents64"},
    {SYS_restart_syscall, "restart_syscall"},
    {SYS_clock_gettime, "clock_gettime"},
    {SYS_tgkill, "tgkill"},
    {SYS_openat, "openat"},
    {SYS_newfstatat, "newfstatat"},
    {SYS_unlinkat, "unlinkat"},
    {SYS_fallocate, "fallocate"},
    {SYS_rt_tgsigqueueinfo, "rt_tgsigqueueinfo"},
    {SYS_prlimit64, "prlimit64"},
    {SYS_process_vm_readv, "process_vm_readv"},
    {SYS_getrandom, "getrandom"},
    {SYS_pwrite64, "pwrite64"},
    {SYS_uname, "uname"},
    {SYS_munlockall, "munlockall"},
    {SYS_getxattr, "getxattr"},
    {SYS_fgetxattr, "fgetxattr"},
    {SYS_mlock2, "mlock2"},
    {SYS_capget, "capget"},
    {SYS_process_vm_writev, "process_vm_writev"},
    {SYS_close_range, "close_range"},
    {SYS_memfd_create, "memfd_create"},
};

}  // namespace hm::soft
