// SPDX-License-Identifier: MIT
#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace hm {

// CPU time as the kernel accounts for it. Without CONFIG_VIRT_CPU_ACCOUNTING_GEN the kernel splits the exact
// sum by the mode that each timer tick interrupts. The two parts are therefore rough for times of only a few
// ticks.
struct CpuTime {
  uint64_t user_ns = 0;
  uint64_t kernel_ns = 0;

  [[nodiscard]] uint64_t sum_ns() const { return user_ns + kernel_ns; }
  // Returns the fraction of the sum spent in the kernel; 0 if the sum is 0.
  [[nodiscard]] double kernel_share() const {
    return sum_ns() == 0 ? 0 : static_cast<double>(kernel_ns) / static_cast<double>(sum_ns());
  }
  CpuTime& operator+=(const CpuTime& more);
  bool operator==(const CpuTime&) const = default;
};

// Returns how much each part has grown since `before`; 0 for a part that has shrunk.
[[nodiscard]] CpuTime growth(const CpuTime& before, const CpuTime& now);

[[nodiscard]] CpuTime cpu_time_of(const rusage& usage);

}  // namespace hm
