// SPDX-License-Identifier: MIT
// For tests: waits until another thread or process has done its work.
#pragma once

#include <chrono>
#include <thread>

namespace hm {

// Evaluates `condition` every millisecond. Returns false if it is still false after kMaxLooks tries, more
// than a slow host can explain. The limit counts tries, not time, because a host may be suspended.
template <typename Condition>
[[nodiscard]] bool wait_until(Condition&& condition) {
  constexpr int kMaxLooks = 100000;
  for (int looks = 0; looks < kMaxLooks; ++looks) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return condition();
}

}  // namespace hm
