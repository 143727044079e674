// SPDX-License-Identifier: MIT
// Threads that share memory show no sharing while the host runs them one after the other. These functions let
// tests distinguish this from a wrong measurement.
#pragma once

#include <chrono>
#include <optional>
#include <utility>

namespace hm::soft_pmu_test {

// Skips the test if threads do not get separate modelled cores.
void skip_without_cores();

// Gives this process and its children the highest priority, if the system permits it: their threads then have
// processors on a busy host, too.
void run_before_others();

// Returns whether the host currently runs two threads at the same time. Natively, two threads that exchange
// messages without system calls finish in less than a millisecond. If they run in turns, each message needs a
// scheduler's time slice.
bool host_runs_two_at_once();

inline constexpr const char* kOneAfterTheOther =
    "for a minute the host did not run the threads at the same time; not tested";

// Runs until `have_met(result)` and returns that result. A result without a meeting counts only if the host
// ran two threads at once before and after it, and ran the threads of this run together for long enough
// (Outcome::together_s). The third result of this kind is returned, for the test to judge. Returns nullopt if
// a minute yields neither: skip the test (kOneAfterTheOther).
template <typename Run, typename HaveMet>
auto until_threads_meet(Run&& run, HaveMet&& have_met) -> std::optional<decltype(run())> {
  constexpr int kChances = 3;
  constexpr double kLongEnoughS = 0.05;
  constexpr auto kTimeout = std::chrono::minutes(1);
  auto end = std::chrono::steady_clock::now() + kTimeout;
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
