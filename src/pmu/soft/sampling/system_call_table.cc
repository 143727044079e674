// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/system_call_table.h"

#include <asm/unistd_64.h>
#include <linux/fcntl.h>
#include <linux/futex.h>
#include <stddef.h>

namespace hm::soft {
namespace {

// Sizes of structures of the kernel.
constexpr uint16_t kInt = 4, kLong = 8, kPollEntry = 8, kSocketPair = 8, kEpollEvent = 12, kName = 16,
                   kTimespec = 16, kLimits = 16, kStack = 24, kFlock = 32, kItimer = 32, kTimes = 32,
                   kSigaction = 32, kTermios = 36, kSystemInfo = 112, kFileSystem = 120,
                   kRingParameters = 120, kSigInfo = 128, kStat = 144, kUsage = 144, kStatx = 256,
                   kUnixName = 390;

constexpr BufferLength fixed(uint16_t bytes) { return {LengthRule::kFixed, 0, bytes}; }
constexpr BufferLength fixed_if_positive(uint16_t bytes) { return {LengthRule::kFixedIfPositive, 0, bytes}; }
constexpr BufferLength times(uint8_t argument, uint16_t bytes = 1) {
  return {LengthRule::kArgument, argument, bytes};
}
constexpr BufferLength results(uint16_t bytes = 1) { return {LengthRule::kResult, 0, bytes}; }
constexpr BufferLength up_to_result(uint8_t argument) { return {LengthRule::kUpToResult, argument, 1}; }
constexpr BufferLength bits(uint8_t argument) { return {LengthRule::kBits, argument, 0}; }
constexpr BufferLength pages(uint8_t argument) { return {LengthRule::kPages, argument, 0}; }
constexpr BufferLength size_at(uint8_t argument) { return {LengthRule::kSizeAt, argument, 0}; }
constexpr BufferLength pieces(uint8_t argument) { return {LengthRule::kPieces, argument, 0}; }
constexpr BufferLength kText{LengthRule::kText, 0, 0};
constexpr BufferLength kMessage{LengthRule::kMessage, 0, 0};
constexpr BufferLength kMessages{LengthRule::kMessages, 0, 0};

constexpr BufferCondition kAlways{0, 0, 0};
constexpr BufferCondition with(uint8_t argument, uint32_t value) { return {argument, ~uint32_t{0}, value}; }
constexpr BufferCondition futex(uint32_t command) {
  return {1, static_cast<uint32_t>(FUTEX_CMD_MASK), command};
}

constexpr BufferRow reads(uint16_t number, uint8_t pointer, BufferLength length,
                          BufferCondition when = kAlways) {
  return {number, pointer, false, length, when};
}
constexpr BufferRow writes(uint16_t number, uint8_t pointer, BufferLength length,
                           BufferCondition when = kAlways) {
  return {number, pointer, true, length, when};
}

// Requests of ioctl(2) and prctl(2), and commands of fcntl(2).
constexpr uint32_t kGetTerminal = 0x5401, kSetTerminal = 0x5402, kSetTerminalWhenDrained = 0x5403,
                   kGetTerminalGroup = 0x540f, kGetWindowSize = 0x5413, kBytesReadable = 0x541b,
                   kSetNonBlocking = 0x5421, kSetName = 15, kGetName = 16;

// By number. Buffers of a call are in the order in which the kernel uses them.
constexpr BufferRow kRows[] = {
    writes(__NR_read, 1, up_to_result(2)),
    reads(__NR_write, 1, up_to_result(2)),
    reads(__NR_open, 0, kText),
    reads(__NR_stat, 0, kText),
    writes(__NR_stat, 1, fixed(kStat)),
    writes(__NR_fstat, 1, fixed(kStat)),
    reads(__NR_lstat, 0, kText),
    writes(__NR_lstat, 1, fixed(kStat)),
    reads(__NR_poll, 0, times(1, kPollEntry)),
    writes(__NR_poll, 0, times(1, kPollEntry)),
    reads(__NR_rt_sigaction, 1, fixed(kSigaction)),
    writes(__NR_rt_sigaction, 2, fixed(kSigaction)),
    reads(__NR_rt_sigprocmask, 1, times(3)),
    writes(__NR_rt_sigprocmask, 2, times(3)),
    writes(__NR_ioctl, 2, fixed(kTermios), with(1, kGetTerminal)),
    reads(__NR_ioctl, 2, fixed(kTermios), with(1, kSetTerminal)),
    reads(__NR_ioctl, 2, fixed(kTermios), with(1, kSetTerminalWhenDrained)),
    writes(__NR_ioctl, 2, fixed(kInt), with(1, kGetTerminalGroup)),
    writes(__NR_ioctl, 2, fixed(kLong), with(1, kGetWindowSize)),
    writes(__NR_ioctl, 2, fixed(kInt), with(1, kBytesReadable)),
    reads(__NR_ioctl, 2, fixed(kInt), with(1, kSetNonBlocking)),
    writes(__NR_pread64, 1, up_to_result(2)),
    reads(__NR_pwrite64, 1, up_to_result(2)),
    writes(__NR_readv, 1, pieces(2)),
    reads(__NR_writev, 1, pieces(2)),
    reads(__NR_access, 0, kText),
    writes(__NR_pipe, 0, fixed(kSocketPair)),
    reads(__NR_select, 4, fixed(kTimespec)),
    reads(__NR_select, 1, bits(0)),
    reads(__NR_select, 2, bits(0)),
    reads(__NR_select, 3, bits(0)),
    writes(__NR_select, 1, bits(0)),
    writes(__NR_select, 2, bits(0)),
    writes(__NR_select, 3, bits(0)),
    writes(__NR_select, 4, fixed(kTimespec)),
    writes(__NR_mincore, 2, pages(1)),
    reads(__NR_nanosleep, 0, fixed(kTimespec)),
    writes(__NR_getitimer, 1, fixed(kItimer)),
    reads(__NR_setitimer, 1, fixed(kItimer)),
    writes(__NR_setitimer, 2, fixed(kItimer)),
    reads(__NR_sendfile, 2, fixed(kLong)),
    writes(__NR_sendfile, 2, fixed(kLong)),
    reads(__NR_connect, 1, times(2)),
    reads(__NR_accept, 2, fixed(kInt)),
    writes(__NR_accept, 1, size_at(2)),
    writes(__NR_accept, 2, fixed(kInt)),
    reads(__NR_sendto, 4, times(5)),
    reads(__NR_sendto, 1, up_to_result(2)),
    writes(__NR_recvfrom, 1, up_to_result(2)),
    reads(__NR_recvfrom, 5, fixed(kInt)),
    writes(__NR_recvfrom, 4, size_at(5)),
    writes(__NR_recvfrom, 5, fixed(kInt)),
    reads(__NR_sendmsg, 1, kMessage),
    writes(__NR_recvmsg, 1, kMessage),
    reads(__NR_bind, 1, times(2)),
    reads(__NR_getsockname, 2, fixed(kInt)),
    writes(__NR_getsockname, 1, size_at(2)),
    writes(__NR_getsockname, 2, fixed(kInt)),
    reads(__NR_getpeername, 2, fixed(kInt)),
    writes(__NR_getpeername, 1, size_at(2)),
    writes(__NR_getpeername, 2, fixed(kInt)),
    writes(__NR_socketpair, 3, fixed(kSocketPair)),
    reads(__NR_setsockopt, 3, times(4)),
    reads(__NR_getsockopt, 4, fixed(kInt)),
    writes(__NR_getsockopt, 3, size_at(4)),
    writes(__NR_getsockopt, 4, fixed(kInt)),
    writes(__NR_wait4, 1, fixed_if_positive(kInt)),
    writes(__NR_wait4, 3, fixed_if_positive(kUsage)),
    writes(__NR_uname, 0, fixed(kUnixName)),
    reads(__NR_fcntl, 2, fixed(kFlock), with(1, F_GETLK)),
    writes(__NR_fcntl, 2, fixed(kFlock), with(1, F_GETLK)),
    reads(__NR_fcntl, 2, fixed(kFlock), with(1, F_SETLK)),
    reads(__NR_fcntl, 2, fixed(kFlock), with(1, F_SETLKW)),
    reads(__NR_fcntl, 2, fixed(kFlock), with(1, F_OFD_GETLK)),
    writes(__NR_fcntl, 2, fixed(kFlock), with(1, F_OFD_GETLK)),
    reads(__NR_fcntl, 2, fixed(kFlock), with(1, F_OFD_SETLK)),
    reads(__NR_fcntl, 2, fixed(kFlock), with(1, F_OFD_SETLKW)),
    reads(__NR_truncate, 0, kText),
    writes(__NR_getdents, 1, results()),
    writes(__NR_getcwd, 0, results()),
    reads(__NR_chdir, 0, kText),
    reads(__NR_rename, 0, kText),
    reads(__NR_rename, 1, kText),
    reads(__NR_mkdir, 0, kText),
    reads(__NR_rmdir, 0, kText),
    reads(__NR_creat, 0, kText),
    reads(__NR_link, 0, kText),
    reads(__NR_link, 1, kText),
    reads(__NR_unlink, 0, kText),
    reads(__NR_symlink, 0, kText),
    reads(__NR_symlink, 1, kText),
    reads(__NR_readlink, 0, kText),
    writes(__NR_readlink, 1, results()),
    reads(__NR_chmod, 0, kText),
    reads(__NR_chown, 0, kText),
    reads(__NR_lchown, 0, kText),
    writes(__NR_gettimeofday, 0, fixed(kTimespec)),
    writes(__NR_gettimeofday, 1, fixed(kLong)),
    writes(__NR_getrlimit, 1, fixed(kLimits)),
    writes(__NR_getrusage, 1, fixed(kUsage)),
    writes(__NR_sysinfo, 0, fixed(kSystemInfo)),
    writes(__NR_times, 0, fixed(kTimes)),
    writes(__NR_getresuid, 0, fixed(kInt)),
    writes(__NR_getresuid, 1, fixed(kInt)),
    writes(__NR_getresuid, 2, fixed(kInt)),
    writes(__NR_getresgid, 0, fixed(kInt)),
    writes(__NR_getresgid, 1, fixed(kInt)),
    writes(__NR_getresgid, 2, fixed(kInt)),
    writes(__NR_rt_sigpending, 0, times(1)),
    reads(__NR_rt_sigtimedwait, 0, times(3)),
    reads(__NR_rt_sigtimedwait, 2, fixed(kTimespec)),
    writes(__NR_rt_sigtimedwait, 1, fixed(kSigInfo)),
    reads(__NR_sigaltstack, 0, fixed(kStack)),
    writes(__NR_sigaltstack, 1, fixed(kStack)),
    reads(__NR_statfs, 0, kText),
    writes(__NR_statfs, 1, fixed(kFileSystem)),
    writes(__NR_fstatfs, 1, fixed(kFileSystem)),
    reads(__NR_prctl, 1, kText, with(0, kSetName)),
    writes(__NR_prctl, 1, fixed(kName), with(0, kGetName)),
    reads(__NR_setrlimit, 1, fixed(kLimits)),
    writes(__NR_time, 0, fixed(kLong)),
    reads(__NR_futex, 3, fixed(kTimespec), futex(FUTEX_WAIT)),
    reads(__NR_futex, 0, fixed(kInt), futex(FUTEX_WAIT)),
    reads(__NR_futex, 0, fixed(kInt), futex(FUTEX_CMP_REQUEUE)),
    reads(__NR_futex, 4, fixed(kInt), futex(FUTEX_WAKE_OP)),
    writes(__NR_futex, 4, fixed(kInt), futex(FUTEX_WAKE_OP)),
    reads(__NR_futex, 0, fixed(kInt), futex(FUTEX_LOCK_PI)),
    writes(__NR_futex, 0, fixed(kInt), futex(FUTEX_LOCK_PI)),
    reads(__NR_futex, 0, fixed(kInt), futex(FUTEX_UNLOCK_PI)),
    writes(__NR_futex, 0, fixed(kInt), futex(FUTEX_UNLOCK_PI)),
    reads(__NR_futex, 3, fixed(kTimespec), futex(FUTEX_WAIT_BITSET)),
    reads(__NR_futex, 0, fixed(kInt), futex(FUTEX_WAIT_BITSET)),
    reads(__NR_sched_setaffinity, 2, times(1)),
    writes(__NR_sched_getaffinity, 2, results()),
    writes(__NR_getdents64, 1, results()),
    reads(__NR_timer_settime, 2, fixed(kItimer)),
    writes(__NR_timer_settime, 3, fixed(kItimer)),
    writes(__NR_clock_gettime, 1, fixed(kTimespec)),
    writes(__NR_clock_getres, 1, fixed(kTimespec)),
    reads(__NR_clock_nanosleep, 2, fixed(kTimespec)),
    writes(__NR_epoll_wait, 1, results(kEpollEvent)),
    reads(__NR_epoll_ctl, 3, fixed(kEpollEvent), with(1, 1)),  // EPOLL_CTL_ADD
    reads(__NR_epoll_ctl, 3, fixed(kEpollEvent), with(1, 3)),  // EPOLL_CTL_MOD
    reads(__NR_utimes, 0, kText),
    reads(__NR_utimes, 1, fixed(2 * kTimespec)),
    reads(__NR_inotify_add_watch, 1, kText),
    reads(__NR_openat, 1, kText),
    reads(__NR_mkdirat, 1, kText),
    reads(__NR_fchownat, 1, kText),
    reads(__NR_newfstatat, 1, kText),
    writes(__NR_newfstatat, 2, fixed(kStat)),
    reads(__NR_unlinkat, 1, kText),
    reads(__NR_renameat, 1, kText),
    reads(__NR_renameat, 3, kText),
    reads(__NR_linkat, 1, kText),
    reads(__NR_linkat, 3, kText),
    reads(__NR_symlinkat, 0, kText),
    reads(__NR_symlinkat, 2, kText),
    reads(__NR_readlinkat, 1, kText),
    writes(__NR_readlinkat, 2, results()),
    reads(__NR_fchmodat, 1, kText),
    reads(__NR_faccessat, 1, kText),
    reads(__NR_pselect6, 4, fixed(kTimespec)),
    reads(__NR_pselect6, 5, fixed(2 * kLong)),
    reads(__NR_pselect6, 1, bits(0)),
    reads(__NR_pselect6, 2, bits(0)),
    reads(__NR_pselect6, 3, bits(0)),
    writes(__NR_pselect6, 1, bits(0)),
    writes(__NR_pselect6, 2, bits(0)),
    writes(__NR_pselect6, 3, bits(0)),
    writes(__NR_pselect6, 4, fixed(kTimespec)),
    reads(__NR_ppoll, 2, fixed(kTimespec)),
    reads(__NR_ppoll, 3, times(4)),
    reads(__NR_ppoll, 0, times(1, kPollEntry)),
    writes(__NR_ppoll, 0, times(1, kPollEntry)),
    writes(__NR_ppoll, 2, fixed(kTimespec)),
    reads(__NR_splice, 1, fixed(kLong)),
    reads(__NR_splice, 3, fixed(kLong)),
    writes(__NR_splice, 1, fixed(kLong)),
    writes(__NR_splice, 3, fixed(kLong)),
    reads(__NR_utimensat, 1, kText),
    reads(__NR_utimensat, 2, fixed(2 * kTimespec)),
    reads(__NR_epoll_pwait, 4, times(5)),
    writes(__NR_epoll_pwait, 1, results(kEpollEvent)),
    reads(__NR_timerfd_settime, 2, fixed(kItimer)),
    writes(__NR_timerfd_settime, 3, fixed(kItimer)),
    writes(__NR_timerfd_gettime, 1, fixed(kItimer)),
    reads(__NR_accept4, 2, fixed(kInt)),
    writes(__NR_accept4, 1, size_at(2)),
    writes(__NR_accept4, 2, fixed(kInt)),
    reads(__NR_signalfd4, 1, times(2)),
    writes(__NR_pipe2, 0, fixed(kSocketPair)),
    writes(__NR_preadv, 1, pieces(2)),
    reads(__NR_pwritev, 1, pieces(2)),
    writes(__NR_recvmmsg, 1, kMessages),
    reads(__NR_prlimit64, 2, fixed(kLimits)),
    writes(__NR_prlimit64, 3, fixed(kLimits)),
    reads(__NR_sendmmsg, 1, kMessages),
    writes(__NR_getcpu, 0, fixed(kInt)),
    writes(__NR_getcpu, 1, fixed(kInt)),
    reads(__NR_process_vm_readv, 3, times(4, 2 * kLong)),
    writes(__NR_process_vm_readv, 1, pieces(2)),
    reads(__NR_process_vm_writev, 3, times(4, 2 * kLong)),
    reads(__NR_process_vm_writev, 1, pieces(2)),
    reads(__NR_renameat2, 1, kText),
    reads(__NR_renameat2, 3, kText),
    writes(__NR_getrandom, 0, results()),
    reads(__NR_memfd_create, 0, kText),
    reads(__NR_copy_file_range, 1, fixed(kLong)),
    reads(__NR_copy_file_range, 3, fixed(kLong)),
    writes(__NR_copy_file_range, 1, fixed(kLong)),
    writes(__NR_copy_file_range, 3, fixed(kLong)),
    writes(__NR_preadv2, 1, pieces(2)),
    reads(__NR_pwritev2, 1, pieces(2)),
    reads(__NR_statx, 1, kText),
    writes(__NR_statx, 4, fixed(kStatx)),
    reads(__NR_io_uring_setup, 1, fixed(kRingParameters)),
    writes(__NR_io_uring_setup, 1, fixed(kRingParameters)),
    reads(__NR_openat2, 1, kText),
    reads(__NR_openat2, 2, times(3)),
    reads(__NR_faccessat2, 1, kText),
    reads(__NR_epoll_pwait2, 3, fixed(kTimespec)),
    reads(__NR_epoll_pwait2, 4, times(5)),
    writes(__NR_epoll_pwait2, 1, results(kEpollEvent)),
};

constexpr uint64_t kNumbers = 512;  // of system calls

// Index of each call's first row: its rows end where those of the next number begin.
struct FirstRows {
  uint16_t of_number[kNumbers + 1];
};

constexpr FirstRows find_first_rows() {
  FirstRows first{};
  uint16_t row = 0;
  for (uint64_t number = 0; number <= kNumbers; ++number) {
    while (row < sizeof(kRows) / sizeof(*kRows) && kRows[row].number < number) ++row;
    first.of_number[number] = row;
  }
  return first;
}

constexpr FirstRows kFirstRows = find_first_rows();

constexpr bool are_sorted() {
  for (size_t i = 1; i < sizeof(kRows) / sizeof(*kRows); ++i) {
    if (kRows[i].number < kRows[i - 1].number || kRows[i].number >= kNumbers) return false;
  }
  return true;
}
static_assert(are_sorted());

}  // namespace

BufferRows buffers_of_call(uint64_t number) {
  if (number >= kNumbers) return {kRows, kRows};
  return {kRows + kFirstRows.of_number[number], kRows + kFirstRows.of_number[number + 1]};
}

}  // namespace hm::soft
