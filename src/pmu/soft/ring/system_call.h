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

template <typename T>
int64_t pointer_argument(T* pointer) {
  return reinterpret_cast<int64_t>(pointer);
}

inline constexpr int64_t kSysClose = 3;
inline constexpr int64_t kSysGetpid = 39;
inline constexpr int64_t kSysFcntl = 72;
inline constexpr int64_t kSysFtruncate = 77;
inline constexpr int64_t kSysGettid = 186;
inline constexpr int64_t kSysFutex = 202;
inline constexpr int64_t kSysClockGettime = 228;
inline constexpr int64_t kSysOpenat = 257;
inline constexpr int64_t kSysUnlinkat = 263;

struct Timespec {
  int64_t seconds;
  int64_t nanoseconds;
};

// CLOCK_MONOTONIC: one order for all processes of a machine.
inline uint64_t monotonic_ns() {
  Timespec now{};
  system_call(kSysClockGettime, 1, pointer_argument(&now));
  return static_cast<uint64_t>(now.seconds) * 1000000000u + static_cast<uint64_t>(now.nanoseconds);
}

// Shared futexes: the word lies in memory that processes share.
inline void futex_wake(uint32_t* word) { system_call(kSysFutex, pointer_argument(word), 1, 0x7fffffff); }

inline void futex_wait(uint32_t* word, uint32_t expected, uint64_t timeout_ns) {
  Timespec timeout{static_cast<int64_t>(timeout_ns / 1000000000u),
                   static_cast<int64_t>(timeout_ns % 1000000000u)};
  system_call(kSysFutex, pointer_argument(word), 0, expected, pointer_argument(&timeout));
}

// The recorder holds a lock on the session file as long as it lives, whatever ends it.
inline bool recorder_lives(int session_fd) {
  struct {
    int16_t type;
    int16_t whence;
    int64_t start, length;
    int32_t pid;
  } lock{/*F_WRLCK*/ 1, 0, 0, 0, 0};
  constexpr int64_t kGetLock = 5, kUnlocked = 2;
  if (system_call(kSysFcntl, session_fd, kGetLock, pointer_argument(&lock)) < 0) return false;
  return lock.type != kUnlocked;
}

}  // namespace hm::soft
