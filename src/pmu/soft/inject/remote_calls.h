// SPDX-License-Identifier: MIT
// System calls that a traced process makes for its tracer (ptrace(2)), at the stop of a new program image.
//
// The tracer may die at any moment, and the process continues. It then must begin its program, having made at
// most one of the calls. So no code of the program is overwritten: the system call instruction is written to
// unused padding, followed by a jump to the program's entry.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <array>
#include <cstdint>
#include <functional>

#include "base/result.h"

namespace hm::soft {

// A system call made by a thread of the process: its number and arguments.
using RemoteCall =
    std::function<Result<uint64_t>(long, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t)>;

// Returns the error for a failed system call; errno holds its reason.
Error injection_error(pid_t process, const char* what);

// Sets the registers for a system call instruction.
void set_call(user_regs_struct& registers, long number, const std::array<uint64_t, 6>& arguments);

// Makes the stopped thread, traced with PTRACE_O_TRACESYSGOOD, execute the call at registers.rip; it then
// stops after the call. Returns the call's result, or its error.
Result<uint64_t> run_call(pid_t process, pid_t thread, user_regs_struct registers);

class RemoteCalls {
 public:
  // `process` is in PTRACE_EVENT_EXEC's stop, traced with PTRACE_O_TRACESYSGOOD.
  explicit RemoteCalls(pid_t process) : process_(process) {}
  RemoteCalls(const RemoteCalls&) = delete;
  RemoteCalls& operator=(const RemoteCalls&) = delete;

  // Continues to the end of execve, with the program's initial registers. Fails with kUnsupported for a
  // 32-bit program.
  Status begin();

  Result<uint64_t> call(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d = 0, uint64_t e = 0,
                        uint64_t f = 0);

  // Restores the process to its state after begin().
  Status end();

  // The program's initial registers.
  [[nodiscard]] const user_regs_struct& registers() const { return registers_; }

  [[nodiscard]] Error error(const char* what) const;

 private:
  Status lend_code();

  pid_t process_;
  user_regs_struct registers_{};
  uint64_t lent_address_ = 0;
  long lent_word_ = 0;
};

// Returns PTRACE_EVENT_EXEC or another event from a stop's status; 0 if it has none.
constexpr int ptrace_event_of(int status) { return status >> 16; }

// Waits for the next stop of a traced process. Returns false if it has ended; its status is left for a later
// wait.
bool wait_for_stop(pid_t process, int& status);

}  // namespace hm::soft
