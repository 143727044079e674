// SPDX-License-Identifier: MIT
// Waits for stops of traced threads so that no signal is lost if the tracer is killed.
//
// A wait that consumes a stop clears the signal that the stop would deliver. If the tracer is then killed
// before it continues the thread with that signal, the kernel delivers nothing (wait_task_stopped in
// kernel/exit.c, ptrace_stop in kernel/signal.c). A stop that was only looked at can be continued too, and
// keeps its signal meanwhile.
#pragma once

#include <sys/types.h>
#include <sys/wait.h>

#include <csignal>

namespace hm::soft {

// `status`: as from waitpid(2). Returns the event of the stop (PTRACE_EVENT_EXEC, ...), 0 if it has none.
constexpr int ptrace_event_of(int status) { return status >> 16; }

// The signal number of system call stops, with PTRACE_O_TRACESYSGOOD.
constexpr int kSystemCallStop = SIGTRAP | 0x80;

// True for a stop at which a signal is delivered.
constexpr bool is_delivery(int status) {
  return WIFSTOPPED(status) && ptrace_event_of(status) == 0 && WSTOPSIG(status) != kSystemCallStop;
}

// Looks for a stop of a traced child, or the end of a child (P_PID with its ID, or P_ALL), without consuming
// it. `options`: 0 to wait for it, or WNOHANG. Returns its ID and sets `status` as waitpid(2) does; 0 if
// there is none yet; -1 with errno on failure.
pid_t look_at_child(idtype_t type, pid_t child, int options, int& status);

// Returns the stop or end of one traced thread, as look_at_child() does, and consumes it unless it
// is_delivery().
pid_t take_stop(pid_t thread, int options, int& status);

}  // namespace hm::soft
