// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hm::host {

// A cache as the system reports it. In a virtual machine the real one may be shared with others, smaller, or
// not exist.
struct HostCache {
  int level = 0;
  std::string type;  // "Data", "Instruction" or "Unified"
  uint32_t sets = 0;
  uint32_t ways = 0;
  uint32_t line_bytes = 0;
  std::string cpus{};  // that share it: "0-3"

  [[nodiscard]] uint64_t size_bytes() const { return uint64_t{sets} * ways * line_bytes; }
  [[nodiscard]] bool holds_data() const { return type != "Instruction"; }
};

// Of a CPU, from /sys/devices/system/cpu/cpuN/cache (the kernel's
// Documentation/ABI/testing/sysfs-devices-system-cpu); those that are reported without sizes are left out.
[[nodiscard]] std::vector<HostCache> host_caches(int cpu);

// Whether the processor says that it is a virtual one. CPUID leaf 1, ECX bit 31: Intel SDM and AMD APM
// reserve it for hypervisors.
[[nodiscard]] bool is_virtual_machine();

}  // namespace hm::host
