// SPDX-License-Identifier: MIT
// System calls that a traced process does for its tracer (ptrace(2)), at the stop of a new program image.
//
// At any moment the tracer may die, and the process continues: it then must at worst have done one of the
// calls, and begin its program. So no code of the program is overwritten: the call's instruction is written
// to padding that nobody reads, with a jump to the program's beginning behind it.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <array>
#include <cstdint>
#include <functional>

#include "base/result.h"

namespace hm::soft {

// A system call that a thread of the process does: its number and arguments.
using RemoteCall =
    std::function<Result<uint64_t>(long, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t)>;

// What a system call, which has set errno, kept the engine from.
Error injection_error(pid_t process, const char* what);

// Sets the registers with which a system call instruction does that call.
void set_call(user_regs_struct& registers, long number, const std::array<uint64_t, 6>& arguments);

// The stopped thread, traced with PTRACE_O_TRACESYSGOOD, does the call that begins at registers.rip; it is
// then stopped behind it. The call's result; its errors are errors.
Result<uint64_t> run_call(pid_t process, pid_t thread, user_regs_struct registers);

class RemoteCalls {
 public:
  // `process` is in PTRACE_EVENT_EXEC's stop, traced with PTRACE_O_TRACESYSGOOD.
  explicit RemoteCalls(pid_t process) : process_(process) {}
  RemoteCalls(const RemoteCalls&) = delete;
  RemoteCalls& operator=(const RemoteCalls&) = delete;

  // Goes to the end of execve, where the registers are those with which the program begins. kUnsupported: a
  // 32-bit program.
  Status begin();

  Result<uint64_t> call(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d = 0, uint64_t e = 0,
                        uint64_t f = 0);

  // The process is as begin() left it.
  Status end();

  // The registers with which the program begins.
  [[nodiscard]] const user_regs_struct& registers() const { return registers_; }

  [[nodiscard]] Error error(const char* what) const;

 private:
  Status lend_code();

  pid_t process_;
  user_regs_struct registers_{};
  uint64_t lent_address_ = 0;
  long lent_word_ = 0;
};

// PTRACE_EVENT_EXEC or another, of a stop's status; 0: it is none of these.
constexpr int ptrace_event_of(int status) { return status >> 16; }

// Waits for the next stop of a traced process; false where it is over, which is left to be waited for.
bool wait_for_stop(pid_t process, int& status);

}  // namespace hm::soft
