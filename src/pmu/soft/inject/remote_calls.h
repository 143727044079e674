// SPDX-License-Identifier: MIT
// System calls that a traced process executes for its tracer (ptrace(2)), at the stop of a new program image.
//
// If the tracer dies at any time, the process continues. In the worst case it has then executed one of these
// calls, and begins its program. Therefore no code of the program is overwritten: the system call instruction
// is written to unused padding, followed by a jump to the program's beginning.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <array>
#include <cstdint>
#include <functional>

#include "base/result.h"

namespace hm::soft {

// Executes a system call in a thread of the process. Arguments: the number and six arguments.
using RemoteCall =
    std::function<Result<uint64_t>(long, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t)>;

// Returns an error for a failed system call, with errno as the reason. `what`: the failed step.
Error injection_error(pid_t process, const char* what);

// Sets the registers for a system call instruction.
void set_call(user_regs_struct& registers, long number, const std::array<uint64_t, 6>& arguments);

// Executes the system call instruction at registers.rip in the stopped thread, which is traced with
// PTRACE_O_TRACESYSGOOD. The thread is then stopped after the instruction. Returns the call's result, or an
// error if the call failed.
Result<uint64_t> run_call(pid_t process, pid_t thread, user_regs_struct registers);

class RemoteCalls {
 public:
  // `process` must be in the PTRACE_EVENT_EXEC stop, traced with PTRACE_O_TRACESYSGOOD.
  explicit RemoteCalls(pid_t process) : process_(process) {}
  RemoteCalls(const RemoteCalls&) = delete;
  RemoteCalls& operator=(const RemoteCalls&) = delete;

  // Continues to the end of execve, when the registers have the values with which the program begins. Fails
  // with kUnsupported for a 32-bit program.
  Status begin();

  Result<uint64_t> call(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d = 0, uint64_t e = 0,
                        uint64_t f = 0);

  // Restores the state of the process that begin() found.
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

// Waits for the next stop of a traced process, as take_stop() does. Returns false if the process has ended;
// it is not reaped.
bool wait_for_stop(pid_t process, int& status);

}  // namespace hm::soft
