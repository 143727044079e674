// SPDX-License-Identifier: MIT
#include "meeting.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <thread>

#include "running.h"

namespace hm::soft_pmu_test {

void skip_without_cores() {
  if (engine() != "direct")
    GTEST_SKIP() << "under Valgrind threads take turns on one modelled core; not tested";
  if (std::thread::hardware_concurrency() < 2)
    GTEST_SKIP() << "there are as many modelled cores as the host has, which is one; not tested";
}

void run_before_others() {
  sched_param lowest{};
  lowest.sched_priority = ::sched_get_priority_min(SCHED_RR);
  (void)::sched_setscheduler(0, SCHED_RR, &lowest);
}

bool host_runs_two_at_once() {
  constexpr int kAnswers = 2000;
  constexpr auto kTimeout = std::chrono::milliseconds(500);
  std::atomic<int> turn = 0;
  auto end = std::chrono::steady_clock::now() + kTimeout;
  auto answer = [&](int mine) {
    for (; mine < kAnswers; mine += 2) {
      while (turn.load(std::memory_order_acquire) != mine) {
        if (std::chrono::steady_clock::now() > end) return;
      }
      turn.store(mine + 1, std::memory_order_release);
    }
  };
  std::thread other(answer, 1);
  answer(0);
  other.join();
  return turn == kAnswers;
}

}  // namespace hm::soft_pmu_test
