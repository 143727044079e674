// SPDX-License-Identifier: MIT
// System calls with a timeout, in reproducible runs. A timeout at a time of the program's clock has to end at
// the same time of the kernel's. A timeout that has expired advances the program's clock.
#pragma once

#include "pmu/soft/direct/core/thread.h"

namespace hm::soft::direct {

class TimedCall {
 public:
  // Changes the arguments in the thread's context until the object's end.
  TimedCall(Thread& thread, uint64_t number) : thread_(thread), number_(number) { find_timeout(); }
  ~TimedCall();
  TimedCall(const TimedCall&) = delete;
  TimedCall& operator=(const TimedCall&) = delete;

  // Called with the call's result.
  void follow(int64_t result);

 private:
  struct Time {
    int64_t seconds;
    int64_t part;  // nanoseconds, or microseconds
  };

  void find_timeout();
  void find_futex_timeout();
  void read_milliseconds(Reg argument);
  void read_timeout(Reg argument, uint64_t ns_of_part);
  void read_deadline(Reg argument, uint64_t clock);

  Thread& thread_;
  uint64_t number_;
  uint64_t timeout_ns_ = 0;  // 0: none
  Reg changed_ = kNoReg;
  uint64_t argument_ = 0;  // the changed argument's value
  Time deadline_{};        // on the kernel's clock
};

}  // namespace hm::soft::direct
