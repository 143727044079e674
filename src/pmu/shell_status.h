// SPDX-License-Identifier: MIT
// Exit statuses that a shell reports for a command's end: POSIX, Shell Command Language, 2.8.2.
#pragma once

#include <sys/wait.h>

#include <csignal>

#include "base/result.h"

namespace hm::pmu {

inline constexpr int kNotFoundStatus = 127;
inline constexpr int kNotExecutableStatus = 126;
inline constexpr int kInterruptedStatus = 128 + SIGINT;

// Converts the status from wait(2) to a shell's exit status: 128 + n if signal n ended the process.
inline int shell_status(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

// Returns the shell's exit status for a failure to find or run a program.
inline int shell_status_of(const Error& error) {
  return error.code == ErrorCode::kNotFound ? kNotFoundStatus : kNotExecutableStatus;
}

}  // namespace hm::pmu
