// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

namespace hm::agent {

// Delays measurements so that their total cost stays below a share of one CPU.
class Budget {
 public:
  using Seconds = std::chrono::duration<double>;

  // `share` is a fraction: 0.005 is half a percent.
  explicit Budget(double share) : share_(share) {}

  // Returns the delay before the next measurement, 0 if it fits the budget now. `spent` is the CPU time used
  // in the `elapsed` time so far. The next measurement takes `lasts` and is expected to cost `last_cost`.
  [[nodiscard]] Seconds pause(Seconds spent, Seconds elapsed, Seconds lasts, Seconds last_cost) const {
    Seconds needed = (spent + last_cost) / share_ - lasts;
    return needed > elapsed ? needed - elapsed : Seconds(0);
  }

 private:
  double share_;
};

}  // namespace hm::agent
