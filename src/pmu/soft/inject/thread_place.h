// SPDX-License-Identifier: MIT
// Finds out, without stopping a thread, where it is and whether signals are pending (proc(5)).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace hm::soft {

// Position of a sleeping thread.
struct BlockedAt {
  int64_t call = -1;  // number of the system call that it is in; -1: none
  uint64_t stack = 0;
  uint64_t ip = 0;

  bool operator==(const BlockedAt&) const = default;
};

// Parses /proc/PID/task/TID/syscall: "NUMBER 0xARGUMENT... 0xSTACK 0xIP", "-1 0xSTACK 0xIP" or "running".
// Returns nullopt if the thread runs, or if the line has another format.
[[nodiscard]] std::optional<BlockedAt> parse_blocked(std::string_view line);
[[nodiscard]] std::optional<BlockedAt> blocked_at(pid_t process, pid_t thread);

// True if the thread runs or is ready to run.
[[nodiscard]] bool is_running(pid_t process, pid_t thread);

// True if a signal is pending that the thread neither blocks nor ignores (/proc/PID/task/TID/status).
[[nodiscard]] bool has_waiting_signal(std::string_view status);
[[nodiscard]] bool has_waiting_signal(pid_t process, pid_t thread);
// True if a fault's signal (SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGSYS) is pending that the thread does
// not block. The kernel created it for the thread's present instruction, and the signal's handler must get
// the registers of that instruction.
[[nodiscard]] bool has_waiting_fault(std::string_view status);
[[nodiscard]] bool has_waiting_fault(pid_t process, pid_t thread);
// True if the signal is pending for the process as a whole.
[[nodiscard]] bool process_has_waiting_signal(pid_t process, pid_t thread);

}  // namespace hm::soft
