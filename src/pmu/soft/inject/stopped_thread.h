// SPDX-License-Identifier: MIT
// A thread of a running process that is stopped in the midst of its program (ptrace(2), PTRACE_SEIZE). It
// goes on as if nothing had been when it is released, or when its tracer dies.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "base/result.h"
#include "pmu/soft/inject/remote_calls.h"
#include "pmu/soft/inject/trampoline.h"

namespace hm::soft {

class StoppedThread {
 public:
  enum class Failure : uint8_t {
    kNone,
    kGone,     // it has ended
    kRefused,  // with errno: it may not be traced, or somebody else does
    kLate,     // it is traced, but stops only when the kernel is done with what it does there
    kStopped,  // it is stopped by a signal (SIGSTOP)
  };

  // nullopt where that fails. In between, signals reach the thread. One that the kernel has made for a fault
  // of the thread does so first: with other registers it would mean another instruction.
  static std::optional<StoppedThread> stop(pid_t process, pid_t thread, Failure& failure);
  // One that was late; the failure is kLate as long as it is.
  static std::optional<StoppedThread> stop_late(pid_t process, pid_t thread, Failure& failure);

  StoppedThread(StoppedThread&& other) noexcept
      : process_(other.process_), thread_(std::exchange(other.thread_, 0)), registers_(other.registers_) {}
  StoppedThread& operator=(StoppedThread&&) = delete;
  ~StoppedThread();  // releases it

  [[nodiscard]] pid_t process() const { return process_; }
  [[nodiscard]] pid_t thread() const { return thread_; }
  [[nodiscard]] const user_regs_struct& registers() const { return registers_; }
  [[nodiscard]] uint64_t signal_mask() const;

  bool set_registers(const user_regs_struct& registers);
  bool set_signal_mask(uint64_t mask) const;

  // It continues with the registers that it has, untraced.
  void detach();
  // It continues where it was stopped.
  void release();

 private:
  StoppedThread(pid_t process, pid_t thread) : process_(process), thread_(thread) {}
  void let_others_take_signals() const;

  pid_t process_;
  pid_t thread_;  // 0: not ours any more
  user_regs_struct registers_{};
};

// System calls that the thread does for its tracer, through the trampoline.
class TrampolineCalls {
 public:
  TrampolineCalls(StoppedThread& thread, const Trampoline& trampoline)
      : thread_(thread), trampoline_(trampoline) {}

  // All signals are blocked from here on; if the tracer dies, the trampoline ends that.
  Status begin();
  Result<uint64_t> call(long number, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0, uint64_t d = 0,
                        uint64_t e = 0, uint64_t f = 0);
  // call(), as long as this lives.
  [[nodiscard]] RemoteCall as_function() {
    return [this](long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f) {
      return call(number, a, b, c, d, e, f);
    };
  }
  // The thread is as it was: stopped, with settled registers (interrupted_call.h).
  Status end();

 private:
  [[nodiscard]] Error error(const char* what) const;

  StoppedThread& thread_;
  Trampoline trampoline_;
  user_regs_struct native_{};
  uint64_t mask_ = 0;
  uint64_t frame_ = 0;
};

}  // namespace hm::soft
