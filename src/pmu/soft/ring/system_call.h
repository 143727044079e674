// SPDX-License-Identifier: MIT
// Linux system calls without a C library, for code that runs inside a profiled process. Freestanding, x86-64.
#pragma once

#include <stdint.h>

namespace hm::soft {

inline int64_t system_call(int64_t number, int64_t a = 0, int64_t b = 0, int64_t c = 0, int64_t d = 0,
                           int64_t e = 0, int64_t f = 0) {
  register int64_t r10 asm("r10") = d;
  register int64_t r8 asm("r8") = e;
  register int64_t r9 asm("r9") = f;
  int64_t result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

// Whether a result is a negated error number.
inline bool failed(int64_t result) { return result < 0 && result >= -4095; }

template <typename T>
int64_t pointer_argument(T* pointer) {
  return reinterpret_cast<int64_t>(pointer);
}

inline constexpr int64_t kSysClose = 3;
inline constexpr int64_t kSysGetpid = 39;
inline constexpr int64_t kSysMadvise = 28;
inline constexpr int64_t kSysFcntl = 72;
inline constexpr int64_t kSysFtruncate = 77;
inline constexpr int64_t kSysFchmod = 91;
inline constexpr int64_t kSysGeteuid = 107;
inline constexpr int64_t kSysGetppid = 110;
inline constexpr int64_t kSysRtSigtimedwait = 128;
inline constexpr int64_t kSysGettid = 186;
inline constexpr int64_t kSysFutex = 202;
inline constexpr int64_t kSysClockGettime = 228;
inline constexpr int64_t kSysOpenat = 257;
inline constexpr int64_t kSysUnlinkat = 263;
inline constexpr int64_t kSysFallocate = 285;
inline constexpr int64_t kSysGetrandom = 318;

struct Timespec {
  int64_t seconds;
  int64_t nanoseconds;
};

constexpr Timespec timespec_of(uint64_t ns) {
  constexpr uint64_t kSecondNs = 1'000'000'000;
  return {static_cast<int64_t>(ns / kSecondNs), static_cast<int64_t>(ns % kSecondNs)};
}

// CLOCK_MONOTONIC: one order for all processes of a machine.
inline uint64_t monotonic_ns() {
  Timespec now{};
  system_call(kSysClockGettime, 1, pointer_argument(&now));
  return static_cast<uint64_t>(now.seconds) * 1000000000u + static_cast<uint64_t>(now.nanoseconds);
}

// Shared futexes: the word is in memory that processes share.
inline void futex_wake(uint32_t* word) { system_call(kSysFutex, pointer_argument(word), 1, 0x7fffffff); }

inline void futex_wait(uint32_t* word, uint32_t expected, uint64_t timeout_ns) {
  Timespec timeout = timespec_of(timeout_ns);
  system_call(kSysFutex, pointer_argument(word), 0, expected, pointer_argument(&timeout));
}

// Sleeps, for less long if the thread handles a signal. nanosleep(2) would replace the call that
// restart_syscall(2) resumes, which then fails with EINTR; rt_sigtimedwait(2) of no signal does not.
inline void sleep_ns(uint64_t ns) {
  uint64_t no_signal = 0;
  Timespec timeout = timespec_of(ns);
  system_call(kSysRtSigtimedwait, pointer_argument(&no_signal), 0, pointer_argument(&timeout),
              sizeof(no_signal));
}

// Allocates memory for these bytes of a file. Without it, an access to the pages could end the process
// (SIGBUS). Returns true if the file system cannot guarantee memory.
inline bool allocate_file(int fd, uint64_t offset, uint64_t bytes) {
  constexpr int64_t kInterrupted = -4, kNoSuchCall = -38, kNotSupported = -95;
  int64_t result;
  do {
    result = system_call(kSysFallocate, fd, 0, static_cast<int64_t>(offset), static_cast<int64_t>(bytes));
  } while (result == kInterrupted);
  return result == 0 || result == kNoSuchCall || result == kNotSupported;
}

// Populates the pages of a part of a mapped file. Returns false if there is no memory. Kernels before Linux
// 5.14 cannot populate; the result is then true.
inline bool populate_mapping(void* start, uint64_t bytes) {
  constexpr int64_t kPopulateWrite = 23, kInvalid = -22, kInterrupted = -4;
  constexpr uint64_t kPageMask = 4095;
  uint64_t first = reinterpret_cast<uint64_t>(start) & ~kPageMask;
  uint64_t length = reinterpret_cast<uint64_t>(start) + bytes - first;
  int64_t result;
  do {
    result =
        system_call(kSysMadvise, static_cast<int64_t>(first), static_cast<int64_t>(length), kPopulateWrite);
  } while (result == kInterrupted);
  return result == 0 || result == kInvalid;
}

// struct flock of fcntl(2), for a whole file.
struct FileLock {
  int16_t type = kWrite;
  int16_t whence = 0;
  int64_t start = 0, length = 0;
  int32_t pid = 0;

  static constexpr int16_t kWrite = 1, kNone = 2;  // F_WRLCK, F_UNLCK
};

// Locks the file until this process ends, calls exec, or closes the file.
inline void lock_file(int fd) {
  constexpr int64_t kSetLock = 6;
  FileLock lock;
  system_call(kSysFcntl, fd, kSetLock, pointer_argument(&lock));
}

// Returns the id, in the caller's namespace, of another process that holds a lock on the file; 0 if there is
// none. Negative: the holder has no id in the namespace.
inline int32_t holder_of_lock(int fd) {
  constexpr int64_t kGetLock = 5;
  FileLock lock;
  if (system_call(kSysFcntl, fd, kGetLock, pointer_argument(&lock)) < 0 || lock.type == FileLock::kNone)
    return 0;
  return lock.pid == 0 ? -1 : lock.pid;
}

// The recorder holds a lock on the session file while it lives, however it ends.
inline bool recorder_lives(int session_fd) { return holder_of_lock(session_fd) != 0; }

}  // namespace hm::soft
