// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <ctime>

namespace hm {

[[nodiscard]] inline uint64_t nanoseconds(const timespec& time) {
  constexpr uint64_t kPerSecond = 1'000'000'000;
  return static_cast<uint64_t>(time.tv_sec) * kPerSecond + static_cast<uint64_t>(time.tv_nsec);
}

}  // namespace hm
