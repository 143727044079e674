// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/timed_call.h"

#include "pmu/soft/direct/core/program_memory.h"
#include "pmu/soft/direct/emulate/defined_machine.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/system_call_numbers.h"

namespace hm::soft::direct {
void TimedCall::read_timeout(Reg argument, uint64_t ns_of_part) {
  Time time{};
  uint64_t at = thread_.context.registers[argument];
  if (at == 0 || !read_program(at, time) || time.seconds < 0 || time.part < 0) return;
  constexpr int64_t kMostSeconds = int64_t{1} << 33;
  if (time.seconds > kMostSeconds) return;
  timeout_ns_ =
      static_cast<uint64_t>(time.seconds) * kNsPerSecond + static_cast<uint64_t>(time.part) * ns_of_part;
}

void TimedCall::read_deadline(Reg argument, uint64_t clock) {
  read_timeout(argument, 1);
  if (timeout_ns_ == 0) return;
  uint64_t now = defined_clock_ns(*thread_.core, clock);
  timeout_ns_ = timeout_ns_ > now ? timeout_ns_ - now : 0;
  Time kernels{};
  system_call(kSysClockGettime, static_cast<int64_t>(clock), pointer_argument(&kernels));
  uint64_t until = static_cast<uint64_t>(kernels.seconds) * kNsPerSecond +
                   static_cast<uint64_t>(kernels.part) + timeout_ns_;
  deadline_ = {static_cast<int64_t>(until / kNsPerSecond), static_cast<int64_t>(until % kNsPerSecond)};
  changed_ = argument;
  argument_ = thread_.context.registers[argument];
  thread_.context.registers[argument] = reinterpret_cast<uint64_t>(&deadline_);
}

void TimedCall::read_milliseconds(Reg argument) {
  constexpr uint64_t kNsPerMillisecond = 1'000'000;
  auto value = static_cast<int32_t>(thread_.context.registers[argument]);
  timeout_ns_ = value > 0 ? static_cast<uint64_t>(value) * kNsPerMillisecond : 0;
}

// Most of futex(2)'s timeouts are times of a clock.
void TimedCall::find_futex_timeout() {
  constexpr uint64_t kCommands = 0x7f, kOfDate = 0x100;  // FUTEX_CMD_MASK's low bits, FUTEX_CLOCK_REALTIME
  enum Command : uint64_t { kWait = 0, kLockPi = 6, kWaitBitset = 9, kWaitRequeuePi = 11, kLockPi2 = 13 };
  uint64_t operation = thread_.context.registers[kSi], command = operation & kCommands;
  bool of_date = (operation & kOfDate) != 0 || command == kLockPi;
  if (command == kWait) return read_timeout(kR10, 1);
  if (command == kWaitBitset || command == kLockPi || command == kLockPi2 || command == kWaitRequeuePi)
    read_deadline(kR10, of_date ? kRealtime : kMonotonic);
}

void TimedCall::find_timeout() {
  constexpr uint64_t kAbsolute = 1;  // TIMER_ABSTIME
  const uint64_t* r = thread_.context.registers;
  switch (number_) {
    case kNanosleep:
      return read_timeout(kDi, 1);
    case kClockNanosleep:
      return (r[kSi] & kAbsolute) != 0 ? read_deadline(kDx, r[kDi]) : read_timeout(kDx, 1);
    case kPoll:
      return read_milliseconds(kDx);
    case kEpollWait:
    case kEpollPwait:
      return read_milliseconds(kR10);
    case kSelect:
      return read_timeout(kR8, kNsPerMicrosecond);
    case kPselect6:
      return read_timeout(kR8, 1);
    case kPpoll:
    case kRtSigtimedwait:
      return read_timeout(kDx, 1);
    case kSysFutex:
      return find_futex_timeout();
    default:
      return;
  }
}

TimedCall::~TimedCall() {
  if (changed_ != kNoReg) thread_.context.registers[changed_] = argument_;
}

void TimedCall::follow(int64_t result) {
  constexpr int64_t kTimedOut = -110, kNothingYet = -11;  // ETIMEDOUT, EAGAIN
  bool expired = number_ == kSysFutex         ? result == kTimedOut
                 : number_ == kRtSigtimedwait ? result == kNothingYet
                                              : result == 0;
  if (timeout_ns_ != 0 && expired) g_process.defined.add_sleep(timeout_ns_);
}

}  // namespace hm::soft::direct
