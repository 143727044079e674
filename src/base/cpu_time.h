// SPDX-License-Identifier: MIT
#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace hm {

// CPU time as the kernel accounts for it. Without CONFIG_VIRT_CPU_ACCOUNTING_GEN it splits the exact sum by
// the mode that each timer tick interrupts, so the two parts of less than some ticks are rough.
struct CpuTime {
  uint64_t user_ns = 0;
  uint64_t kernel_ns = 0;

  [[nodiscard]] uint64_t sum_ns() const { return user_ns + kernel_ns; }
  // Part of the sum that is the kernel's; 0 if there is no time at all.
  [[nodiscard]] double kernel_share() const {
    return sum_ns() == 0 ? 0 : static_cast<double>(kernel_ns) / static_cast<double>(sum_ns());
  }
  CpuTime& operator+=(const CpuTime& more);
  bool operator==(const CpuTime&) const = default;
};

// Growth since `before`, of each part; 0 if a part has shrunk.
[[nodiscard]] CpuTime growth(const CpuTime& before, const CpuTime& now);

[[nodiscard]] CpuTime cpu_time_of(const rusage& usage);

}  // namespace hm
