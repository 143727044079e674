// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hm::host {

// A cache as reported by the system. In a virtual machine the real cache may be shared with others, smaller,
// or missing.
struct HostCache {
  int level = 0;
  std::string type;  // "Data", "Instruction" or "Unified"
  uint32_t sets = 0;
  uint32_t ways = 0;
  uint32_t line_bytes = 0;
  std::string cpus{};  // CPUs that share it: "0-3"

  [[nodiscard]] uint64_t size_bytes() const { return uint64_t{sets} * ways * line_bytes; }
  [[nodiscard]] bool holds_data() const { return type != "Instruction"; }
};

// Returns the caches of a CPU from /sys/devices/system/cpu/cpuN/cache (the kernel's
// Documentation/ABI/testing/sysfs-devices-system-cpu). Omits caches without sizes.
[[nodiscard]] std::vector<HostCache> host_caches(int cpu);

// Returns whether the processor is virtual: CPUID leaf 1, ECX bit 31, which Intel SDM and AMD APM reserve for
// hypervisors.
[[nodiscard]] bool is_virtual_machine();

}  // namespace hm::host
