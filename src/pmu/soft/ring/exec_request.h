// SPDX-License-Identifier: MIT
// How a process requests that the recorder follow it through execve. Freestanding.
//
// The recorder traces the thread (ptrace(2)) from its answer to the first stop of the new program, or until
// it learns that execve failed. If the recorder has ended, or lives but does not answer (Session::stalled),
// the process continues unfollowed.
#pragma once

#include "pmu/soft/ring/doorbell.h"
#include "pmu/soft/ring/session_layout.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft {

// How often a process checks before it continues unfollowed.
struct ExecPatience {
  unsigned for_place = 400;  // one check per 5 ms
  unsigned for_answer = 40;  // one check per 100 ms, while the recorder lives
};

class ExecAsking {
 public:
  ExecAsking(Session& session, int session_fd, ExecPatience patience = {})
      : session_(session), session_fd_(session_fd), patience_(patience) {}

  // Returns true if the recorder traces the calling thread, which has to call execve next.
  bool follow(uint32_t process, uint32_t thread) {
    request_ = take_place(thread);
    if (request_ == nullptr) return false;
    request_->process = process;
    if (notify_and_wait(kExecAsked) == kExecFollowed) return true;
    give_place_back();
    return false;
  }

  // Called after execve has failed. On return, the recorder no longer traces the thread.
  void failed() {
    notify_and_wait(kExecFailed);
    give_place_back();
  }

 private:
  [[nodiscard]] bool recorder_answers() const {
    return __atomic_load_n(&session_.follows_exec, __ATOMIC_ACQUIRE) != 0 &&
           __atomic_load_n(&session_.stalled, __ATOMIC_ACQUIRE) == 0 && recorder_lives(session_fd_);
  }

  ExecRequest* take_place(uint32_t thread) {
    constexpr uint64_t kPauseNs = 5000000;
    for (unsigned tries = 0; tries < patience_.for_place && recorder_answers(); ++tries) {
      for (ExecRequest& each : session_.exec_requests) {
        uint32_t free = 0;
        if (__atomic_compare_exchange_n(&each.thread, &free, thread, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED))
          return &each;
      }
      uint32_t nothing = 0;
      futex_wait(&nothing, 0, kPauseNs);
    }
    return nullptr;
  }

  // Sets the state to `new_state` and waits for the recorder's answer. Returns the answer, or kExecWithdrawn
  // if there is none.
  uint32_t notify_and_wait(uint32_t new_state) {
    constexpr uint64_t kLookNs = 100000000;
    uint32_t* state = &request_->state;
    __atomic_store_n(state, new_state, __ATOMIC_RELEASE);
    ring_doorbell(session_);
    for (unsigned looks = 0; looks < patience_.for_answer; ++looks) {
      futex_wait(state, new_state, kLookNs);
      uint32_t now = __atomic_load_n(state, __ATOMIC_ACQUIRE);
      if (now != new_state) return now;
      if (!recorder_answers()) break;
      if (looks + 1 == patience_.for_answer) __atomic_store_n(&session_.stalled, 1u, __ATOMIC_RELEASE);
    }
    uint32_t expected = new_state;
    __atomic_compare_exchange_n(state, &expected, uint32_t{kExecWithdrawn}, false, __ATOMIC_ACQ_REL,
                                __ATOMIC_ACQUIRE);
    return expected == new_state ? uint32_t{kExecWithdrawn} : expected;
  }

  void give_place_back() {
    if (__atomic_load_n(&request_->state, __ATOMIC_ACQUIRE) == kExecWithdrawn) return;
    request_->state = kExecNone;
    request_->process = 0;
    __atomic_store_n(&request_->thread, 0u, __ATOMIC_RELEASE);
  }

  Session& session_;
  int session_fd_;
  ExecPatience patience_;
  ExecRequest* request_ = nullptr;
};

}  // namespace hm::soft
