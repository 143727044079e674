// SPDX-License-Identifier: MIT
// For tests: waits for what another thread or process does.
#pragma once

#include <chrono>
#include <thread>

namespace hm {

// Looks every millisecond. False where it has not come about after so many looks that no slow host explains
// it; looks are counted and not time, as a host may stand still.
template <typename Condition>
[[nodiscard]] bool wait_until(Condition&& condition) {
  constexpr int kMostLooks = 100000;
  for (int looks = 0; looks < kMostLooks; ++looks) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return condition();
}

}  // namespace hm
