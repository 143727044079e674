// SPDX-License-Identifier: MIT
#include "pmu/soft/inject/stopped_thread.h"

#include <fmt/format.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "pmu/soft/inject/interrupted_call.h"
#include "pmu/soft/inject/process_memory.h"
#include "pmu/soft/inject/remote_calls.h"
#include "pmu/soft/inject/restart_area.h"
#include "pmu/soft/inject/thread_place.h"
#include "pmu/soft/inject/tracee_stop.h"

namespace hm::soft {
namespace {

constexpr size_t kMaskBytes = 8;

enum class Seen : uint8_t { kNothing, kStop, kGroupStop, kEnd };

void interrupt(pid_t thread) { ::ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr); }

// Checks for a stop, and delivers signals on the way. The kernel stops a thread before it handles signals, so
// a fault's signal may still be pending. The thread then continues to the stop at which the signal is
// delivered, and from there to the first instruction of its handler. Each of these stops replaces the
// requested one.
Seen look_for_stop(pid_t process, pid_t thread) {
  int status = 0;
  pid_t found = take_stop(thread, WNOHANG, status);
  if (found == 0) return Seen::kNothing;
  if (found != thread || !WIFSTOPPED(status)) return Seen::kEnd;
  if (ptrace_event_of(status) == PTRACE_EVENT_STOP) {
    if (WSTOPSIG(status) != SIGTRAP) return Seen::kGroupStop;
    if (!has_waiting_fault(process, thread)) return Seen::kStop;
    ::ptrace(PTRACE_CONT, thread, nullptr, 0);
    return Seen::kNothing;
  }
  interrupt(thread);
  ::ptrace(PTRACE_CONT, thread, nullptr, is_delivery(status) ? WSTOPSIG(status) : 0);
  return Seen::kNothing;
}

}  // namespace

std::optional<StoppedThread> StoppedThread::stop(pid_t process, pid_t thread, Failure& failure) {
  constexpr int kMaxLooks = 200;
  constexpr useconds_t kBetweenUs = 50;
  if (::ptrace(PTRACE_SEIZE, thread, nullptr, PTRACE_O_TRACESYSGOOD) != 0) {
    failure = errno == ESRCH ? Failure::kGone : Failure::kRefused;
    return std::nullopt;
  }
  interrupt(thread);
  failure = Failure::kLate;
  for (int i = 0; i < kMaxLooks && failure == Failure::kLate; ++i) {
    if (auto stopped = stop_late(process, thread, failure)) return stopped;
    if (failure == Failure::kLate) ::usleep(kBetweenUs);
  }
  return std::nullopt;
}

std::optional<StoppedThread> StoppedThread::stop_late(pid_t process, pid_t thread, Failure& failure) {
  switch (look_for_stop(process, thread)) {
    case Seen::kNothing:
      failure = Failure::kLate;
      return std::nullopt;
    case Seen::kEnd:
      failure = Failure::kGone;
      return std::nullopt;
    case Seen::kGroupStop:
      ::ptrace(PTRACE_DETACH, thread, nullptr, nullptr);
      failure = Failure::kStopped;
      return std::nullopt;
    case Seen::kStop:
      break;
  }
  StoppedThread stopped(process, thread);
  failure = Failure::kNone;
  if (::ptrace(PTRACE_GETREGS, thread, nullptr, &stopped.registers_) != 0) {
    failure = Failure::kGone;
    return std::nullopt;
  }
  stopped.restart_area_ = restart_area_of(thread);
  restart_sequence(process, stopped.restart_area_, stopped.registers_);
  return stopped;
}

StoppedThread::~StoppedThread() { release(); }

uint64_t StoppedThread::signal_mask() const {
  uint64_t mask = 0;
  ::ptrace(static_cast<__ptrace_request>(PTRACE_GETSIGMASK), thread_, kMaskBytes, &mask);
  return mask;
}

bool StoppedThread::set_registers(const user_regs_struct& registers) {
  if (::ptrace(PTRACE_SETREGS, thread_, nullptr, &registers) != 0) return false;
  registers_ = registers;
  return true;
}

bool StoppedThread::set_signal_mask(uint64_t mask) const {
  return ::ptrace(static_cast<__ptrace_request>(PTRACE_SETSIGMASK), thread_, kMaskBytes, &mask) == 0;
}

// Gives other threads time to take signals. A thread that was stopped checks for signals when it continues.
// If a signal is pending for the process, the kernel has woken another thread for it. If this thread took the
// signal first, the other thread's call would fail with EINTR without a signal.
void StoppedThread::let_others_take_signals() const {
  constexpr int kMaxWaits = 20;
  constexpr useconds_t kBetweenUs = 50;
  bool takes_none = signal_mask() == ~uint64_t{0};
  for (int i = 0; i < kMaxWaits && !takes_none && process_has_waiting_signal(process_, thread_); ++i)
    ::usleep(kBetweenUs);
}

void StoppedThread::detach() {
  if (thread_ == 0) return;
  let_others_take_signals();
  ::ptrace(PTRACE_DETACH, std::exchange(thread_, 0), nullptr, nullptr);
}

// If a signal is pending for the thread, the interrupted call must fail, so it is not restarted.
void StoppedThread::release() {
  if (thread_ == 0) return;
  if (restart_of(registers_).by_us) {
    let_others_take_signals();
    if (!has_waiting_signal(process_, thread_)) set_registers(settled(registers_));
  }
  detach();
}

Error TrampolineCalls::error(const char* what) const {
  return make_error(ErrorCode::kIo, "cannot attach to process {}: could not {}: {}", thread_.process(), what,
                    errno_text(errno));
}

// Writes two frames to the thread's stack. The trampoline pops the first, which restores the signal mask, and
// then the second, with which the thread continues.
Status TrampolineCalls::begin() {
  native_ = settled(thread_.registers());
  mask_ = thread_.signal_mask();
  uint64_t last = direct::trampoline_frame_below(native_.rsp);
  frame_ = direct::trampoline_frame_below(last);
  uint64_t mask_place = last - sizeof(mask_);
  direct::TrampolineFrame unblock{SYS_rt_sigprocmask, 0, 0, mask_place,           SIG_SETMASK, 0, 0,
                                  kMaskBytes,         0, 2, trampoline_.address()};
  const user_regs_struct& n = native_;
  direct::TrampolineFrame native{n.rax, n.rcx, n.rdx, n.rsi,    n.rdi, n.r8,
                                 n.r9,  n.r10, n.r11, n.eflags, n.rip};
  pid_t process = thread_.process();
  if (!write_memory(process, last, &native, sizeof(native)) ||
      !write_memory(process, mask_place, &mask_, sizeof(mask_)) ||
      !write_memory(process, frame_, &unblock, sizeof(unblock)))
    return error("write to its stack");
  user_regs_struct regs = native_;
  regs.rip = trampoline_.address() + direct::kTrampolineAfterCall;
  regs.rsp = frame_;
  if (!thread_.set_registers(regs)) return error("write its registers");
  if (!thread_.set_signal_mask(~uint64_t{0})) return error("block its signals");
  return {};
}

Result<uint64_t> TrampolineCalls::call(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
                                       uint64_t e, uint64_t f) {
  user_regs_struct regs = native_;
  regs.rip = trampoline_.address();
  regs.rsp = frame_;
  set_call(regs, number, {a, b, c, d, e, f});
  return run_call(thread_.process(), thread_.thread(), regs);
}

Status TrampolineCalls::end() {
  if (!thread_.set_signal_mask(mask_) || !thread_.set_registers(native_)) return error("write its registers");
  return {};
}

}  // namespace hm::soft
