// SPDX-License-Identifier: MIT
// Threads that share memory share nothing while the host runs them one after the other, whoever measures. The
// tests tell that from what is measured wrongly.
#pragma once

#include <chrono>
#include <optional>
#include <utility>

namespace hm::soft_pmu_test {

// Skips the test where threads do not get modelled cores of their own.
void skip_without_cores();

// This process and those that it starts run before all others, where the system permits that to its user:
// then their threads have processors of their own on a busy host, too.
void run_before_others();

// Whether the host runs two threads at the same time now: natively, two that answer each other without any
// system call get through in less than a millisecond. By turns they need a scheduler's slice for each answer.
bool host_runs_two_at_once();

inline constexpr const char* kOneAfterTheOther =
    "for a minute the host did not run the threads at the same time; not tested";

// Runs until `have_met(result)`, the result then. A result in which they have not counts only where the host
// ran two threads at once before and after it, and ran this one's together for long enough
// (Outcome::together_s): the third of those is what the test has to judge. Nothing where a minute brings
// neither: skip the test (kOneAfterTheOther).
template <typename Run, typename HaveMet>
auto until_threads_meet(Run&& run, HaveMet&& have_met) -> std::optional<decltype(run())> {
  constexpr int kChances = 3;
  constexpr double kLongEnoughS = 0.05;
  constexpr auto kPatience = std::chrono::minutes(1);
  auto end = std::chrono::steady_clock::now() + kPatience;
  int chances = 0;
  do {
    bool at_once = host_runs_two_at_once();
    auto result = run();
    if (have_met(result)) return result;
    bool ran_together = at_once && result.together_s > kLongEnoughS && host_runs_two_at_once();
    if (ran_together && ++chances == kChances) return result;
  } while (std::chrono::steady_clock::now() < end);
  return std::nullopt;
}

}  // namespace hm::soft_pmu_test
