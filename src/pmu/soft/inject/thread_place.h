// SPDX-License-Identifier: MIT
// Where a thread is, by what the kernel tells without stopping it (proc(5)).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace hm::soft {

// A thread that sleeps.
struct BlockedAt {
  int64_t call = -1;  // the number of the system call in which it is; -1: in none
  uint64_t stack = 0;
  uint64_t ip = 0;

  bool operator==(const BlockedAt&) const = default;
};

// Of /proc/PID/task/TID/syscall: "NUMBER 0xARGUMENT... 0xSTACK 0xIP", "-1 0xSTACK 0xIP" or "running". nullopt
// where it runs, or the line is none of these.
[[nodiscard]] std::optional<BlockedAt> parse_blocked(std::string_view line);
[[nodiscard]] std::optional<BlockedAt> blocked_at(pid_t process, pid_t thread);

// Whether it runs, or would if it had a CPU.
[[nodiscard]] bool is_running(pid_t process, pid_t thread);

// Of /proc/PID/task/TID/status: a signal is waiting that the thread neither blocks nor ignores.
[[nodiscard]] bool has_waiting_signal(std::string_view status);
[[nodiscard]] bool has_waiting_signal(pid_t process, pid_t thread);
// A signal of a fault (SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGSYS) is waiting that the thread does not
// block. The kernel made it for the instruction at which the thread stands, whose registers the signal's
// handler has to get.
[[nodiscard]] bool has_waiting_fault(std::string_view status);
[[nodiscard]] bool has_waiting_fault(pid_t process, pid_t thread);
// The signal waits for the process as a whole.
[[nodiscard]] bool process_has_waiting_signal(pid_t process, pid_t thread);

}  // namespace hm::soft
