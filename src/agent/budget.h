// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

namespace hm::agent {

// When the next measurement may begin, so that what all have cost stays below a share of one CPU.
class Budget {
 public:
  using Seconds = std::chrono::duration<double>;

  // `share`: 0.005 is half a percent.
  explicit Budget(double share) : share_(share) {}

  // What has been spent so far, after so long; a measurement lasts so long and cost as much as the last.
  // How long to wait before the next: 0 where it would fit now.
  [[nodiscard]] Seconds pause(Seconds spent, Seconds elapsed, Seconds lasts, Seconds last_cost) const {
    Seconds needed = (spent + last_cost) / share_ - lasts;
    return needed > elapsed ? needed - elapsed : Seconds(0);
  }

 private:
  double share_;
};

}  // namespace hm::agent
