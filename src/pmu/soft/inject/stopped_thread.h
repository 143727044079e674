// SPDX-License-Identifier: MIT
// A thread of a running process that is stopped during execution (ptrace(2), PTRACE_SEIZE). After its
// release, or the death of its tracer, it continues as if it had not been stopped.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "base/result.h"
#include "pmu/soft/inject/remote_calls.h"
#include "pmu/soft/inject/restart_area.h"
#include "pmu/soft/inject/trampoline.h"

namespace hm::soft {

class StoppedThread {
 public:
  enum class Failure : uint8_t {
    kNone,
    kGone,     // it has ended
    kRefused,  // with errno: it may not be traced, or another process traces it
    kLate,     // it is traced, but will stop only when the kernel has finished its present operation
    kStopped,  // it is stopped by a signal (SIGSTOP)
  };

  // Stops the thread; returns nullopt on failure. Signals still reach the thread meanwhile. A signal that the
  // kernel created for a fault is delivered first, because it belongs to the present registers and
  // instruction.
  static std::optional<StoppedThread> stop(pid_t process, pid_t thread, Failure& failure);
  // Completes the stop of a thread that was late. The failure is kLate until it has stopped.
  static std::optional<StoppedThread> stop_late(pid_t process, pid_t thread, Failure& failure);

  StoppedThread(StoppedThread&& other) noexcept
      : process_(other.process_),
        thread_(std::exchange(other.thread_, 0)),
        registers_(other.registers_),
        restart_area_(other.restart_area_) {}
  StoppedThread& operator=(StoppedThread&&) = delete;
  ~StoppedThread();  // releases the thread

  [[nodiscard]] pid_t process() const { return process_; }
  [[nodiscard]] pid_t thread() const { return thread_; }
  // The registers with which it continues: those at the stop, except that a restartable sequence is aborted.
  [[nodiscard]] const user_regs_struct& registers() const { return registers_; }
  [[nodiscard]] const RestartArea& restart_area() const { return restart_area_; }
  [[nodiscard]] uint64_t signal_mask() const;

  bool set_registers(const user_regs_struct& registers);
  bool set_signal_mask(uint64_t mask) const;

  // Continues the thread untraced with its present registers.
  void detach();
  // Continues the thread where it was stopped.
  void release();

 private:
  StoppedThread(pid_t process, pid_t thread) : process_(process), thread_(thread) {}
  void let_others_take_signals() const;

  pid_t process_;
  pid_t thread_;  // 0: no longer controlled
  user_regs_struct registers_{};
  RestartArea restart_area_;
};

// System calls that the thread executes for its tracer, through the trampoline.
class TrampolineCalls {
 public:
  TrampolineCalls(StoppedThread& thread, const Trampoline& trampoline)
      : thread_(thread), trampoline_(trampoline) {}

  // Blocks all signals from now on. If the tracer dies, the trampoline unblocks them.
  Status begin();
  Result<uint64_t> call(long number, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0, uint64_t d = 0,
                        uint64_t e = 0, uint64_t f = 0);
  // Returns call() as a function, valid as long as this object.
  [[nodiscard]] RemoteCall as_function() {
    return [this](long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f) {
      return call(number, a, b, c, d, e, f);
    };
  }
  // Restores the thread's state: stopped, with settled registers (interrupted_call.h).
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
