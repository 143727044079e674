// SPDX-License-Identifier: MIT
// System calls that the engine uses or handles (arch/x86/entry/syscalls/syscall_64.tbl).
#pragma once

#include <stdint.h>

namespace hm::soft::direct {

enum SystemCallNumber : uint64_t {
  kRead = 0,
  kWrite = 1,
  kOpen = 2,
  kClose = 3,
  kStat = 4,
  kFstat = 5,
  kPoll = 7,
  kLseek = 8,
  kMmap = 9,
  kMprotect = 10,
  kMunmap = 11,
  kBrk = 12,
  kRtSigaction = 13,
  kRtSigprocmask = 14,
  kRtSigreturn = 15,
  kIoctl = 16,
  kPwrite64 = 18,
  kReadv = 19,
  kWritev = 20,
  kSelect = 23,
  kSchedYield = 24,
  kMremap = 25,
  kMincore = 27,
  kMadvise = 28,
  kShmat = 30,
  kDup = 32,
  kDup2 = 33,
  kNanosleep = 35,
  kRecvmsg = 47,
  kClone = 56,
  kFork = 57,
  kVfork = 58,
  kExecve = 59,
  kExit = 60,
  kSysKill = 62,
  kShmdt = 67,
  kUname = 63,
  kFcntl = 72,
  kGetdents = 78,
  kReadlink = 89,
  kGettimeofday = 96,
  kGetrlimit = 97,
  kGetrusage = 98,
  kSysinfo = 99,
  kTimes = 100,
  kPtrace = 101,
  kCapget = 125,
  kRtSigpending = 127,
  kRtSigtimedwait = 128,
  kSigaltstack = 131,
  kMlock = 149,
  kMunlock = 150,
  kMlockall = 151,
  kMunlockall = 152,
  kPrctl = 157,
  kArchPrctl = 158,
  kSetrlimit = 160,
  kTime = 201,
  kSchedGetaffinity = 204,
  kGetdents64 = 217,
  kClockNanosleep = 230,
  kExitGroup = 231,
  kSetRobustList = 273,
  kEpollWait = 232,
  kTgkill = 234,
  kOpenat = 257,
  kPselect6 = 270,
  kPpoll = 271,
  kPreadv = 295,
  kRecvmmsg = 299,
  kIoSubmit = 209,
  kProcessVmReadv = 310,
  kProcessVmWritev = 311,
  kBpf = 321,
  kPwritev = 296,
  kEpollPwait = 281,
  kDup3 = 292,
  kRtTgsigqueueinfo = 297,
  kPrlimit = 302,
  kGetcpu = 309,
  kSeccomp = 317,
  kGetrandom = 318,
  kMemfdCreate = 319,
  kExecveat = 322,
  kMlock2 = 325,
  kPreadv2 = 327,
  kPwritev2 = 328,
  kPkeyMprotect = 329,
  kRseq = 334,
  kClone3 = 435,
  kCloseRange = 436,
  kPread64 = 17,
  kRecvfrom = 45,
  kMsgrcv = 70,
  kGetcwd = 79,
  kVmsplice = 278,
  kIoUringRegister = 427,
  kMseal = 462,
};

// Returns the number of a system call for a value of rax. The kernel ignores the upper half of rax since
// Linux 5.13.
constexpr uint64_t call_number(uint64_t ax) { return static_cast<uint32_t>(ax); }

// Returns true if the call's fourth argument is a relative timeout in milliseconds, which would start again
// if the call is restarted. Thread::call_began_ns is the time at which the call began.
constexpr bool has_millisecond_limit(uint64_t number) {
  return number == kEpollWait || number == kEpollPwait;
}

// Result of stat(2) and fstat(2).
struct FileStatus {
  uint64_t device;
  uint64_t inode;
  uint64_t rest[16];
};

// Operations of arch_prctl(2).
inline constexpr uint64_t kSetGs = 0x1001, kSetFs = 0x1002;

}  // namespace hm::soft::direct
