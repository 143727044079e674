// SPDX-License-Identifier: MIT
// The location of a thread, as reported by the kernel without stopping the thread (proc(5)).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace hm::soft {

// The location of a sleeping thread.
struct BlockedAt {
  int64_t call = -1;  // number of its current system call; -1: none
  uint64_t stack = 0;
  uint64_t ip = 0;

  bool operator==(const BlockedAt&) const = default;
};

// Parse /proc/PID/task/TID/syscall: "NUMBER 0xARGUMENT... 0xSTACK 0xIP", "-1 0xSTACK 0xIP" or "running".
// Return nullopt if the thread runs, or for any other line.
[[nodiscard]] std::optional<BlockedAt> parse_blocked(std::string_view line);
[[nodiscard]] std::optional<BlockedAt> blocked_at(pid_t process, pid_t thread);

// Whether the thread runs or is runnable.
[[nodiscard]] bool is_running(pid_t process, pid_t thread);

// Parse /proc/PID/task/TID/status: whether a signal is pending that the thread neither blocks nor ignores.
[[nodiscard]] bool has_waiting_signal(std::string_view status);
[[nodiscard]] bool has_waiting_signal(pid_t process, pid_t thread);
// Whether a fault's signal (SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGSYS) is pending that the thread does
// not block. The kernel made it for the thread's current instruction; the signal's handler has to get the
// registers of that instruction.
[[nodiscard]] bool has_waiting_fault(std::string_view status);
[[nodiscard]] bool has_waiting_fault(pid_t process, pid_t thread);
// Whether a signal is pending for the process as a whole.
[[nodiscard]] bool process_has_waiting_signal(pid_t process, pid_t thread);

}  // namespace hm::soft
