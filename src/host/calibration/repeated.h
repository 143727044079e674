// SPDX-License-Identifier: MIT
// Repeats a timed piece of work in short repetitions, so that few of them are interrupted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "host/core_clock.h"
#include "host/estimate.h"

namespace hm::host {

struct Repetitions {
  uint64_t count = 101;
  uint64_t min_ns = 200'000;  // of each
};

// Returns the time of one step of work(STEPS), which executes at least STEPS steps and returns their number.
// The first call also warms up.
template <typename Work>
[[nodiscard]] Estimate time_of_step(const Repetitions& repetitions, Work&& work) {
  const auto timed = [&](uint64_t steps) {
    uint64_t begin_ns = now_ns();
    uint64_t done = work(steps);
    return static_cast<double>(std::max<uint64_t>(now_ns() - begin_ns, 1)) / static_cast<double>(done);
  };
  constexpr uint64_t kFirstSteps = 4096;
  double first_ns = std::min(timed(kFirstSteps), timed(kFirstSteps));
  auto steps = static_cast<uint64_t>(static_cast<double>(repetitions.min_ns) / first_ns) + 1;
  std::vector<double> ns;
  for (uint64_t i = 0; i < repetitions.count; ++i) ns.push_back(timed(steps));
  return median_of(std::move(ns));
}

// Returns the difference of two times. Its interval is that of independent errors.
[[nodiscard]] Estimate difference(const Estimate& of, const Estimate& from);

// Returns `amount` per time.
[[nodiscard]] Estimate rate(double amount, const Estimate& time);

}  // namespace hm::host
