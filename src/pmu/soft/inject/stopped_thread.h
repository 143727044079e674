// SPDX-License-Identifier: MIT
// A thread of a running process that is stopped inside its program (ptrace(2), PTRACE_SEIZE). It continues
// undisturbed when it is released, or when its tracer dies.
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
    kRefused,  // with errno: it may not be traced, or another tracer has it
    kLate,     // it is traced, but stops only after its current work in the kernel
    kStopped,  // it is stopped by a signal (SIGSTOP)
  };

  // Returns nullopt on failure. Signals reach the thread during the attempt. A signal that the kernel made
  // for the thread's fault is delivered first, because with changed registers it would refer to another
  // instruction.
  static std::optional<StoppedThread> stop(pid_t process, pid_t thread, Failure& failure);
  // For a thread with failure kLate: tries again; the failure stays kLate until the thread stops.
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

  // Continues the thread with its current registers, untraced.
  void detach();
  // Continues the thread where it was stopped.
  void release();

 private:
  StoppedThread(pid_t process, pid_t thread) : process_(process), thread_(thread) {}
  void let_others_take_signals() const;

  pid_t process_;
  pid_t thread_;  // 0: no longer ours
  user_regs_struct registers_{};
};

// System calls that the thread makes for its tracer, through the trampoline.
class TrampolineCalls {
 public:
  TrampolineCalls(StoppedThread& thread, const Trampoline& trampoline)
      : thread_(thread), trampoline_(trampoline) {}

  // Blocks all signals until end(); if the tracer dies, the trampoline unblocks them.
  Status begin();
  Result<uint64_t> call(long number, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0, uint64_t d = 0,
                        uint64_t e = 0, uint64_t f = 0);
  // Returns call() as a function, valid while this object lives.
  [[nodiscard]] RemoteCall as_function() {
    return [this](long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f) {
      return call(number, a, b, c, d, e, f);
    };
  }
  // Restores the thread: stopped, with settled registers (interrupted_call.h).
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
