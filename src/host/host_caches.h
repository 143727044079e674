// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hm::machine {

// A cache as the system tells of it. In a virtual machine it may be a smaller part of a shared one, or none.
struct HostCache {
  int level = 0;
  std::string type;  // "Data", "Instruction" or "Unified"
  uint32_t sets = 0;
  uint32_t ways = 0;
  uint32_t line_bytes = 0;

  [[nodiscard]] uint64_t size_bytes() const { return uint64_t{sets} * ways * line_bytes; }
  [[nodiscard]] bool holds_data() const { return type != "Instruction"; }
};

// Of a CPU, from /sys/devices/system/cpu/cpuN/cache (the kernel's
// Documentation/ABI/testing/sysfs-devices-system-cpu); those that are told without a shape are left out.
[[nodiscard]] std::vector<HostCache> host_caches(int cpu);

// Does the processor say that it is a virtual one? CPUID leaf 1, ECX bit 31: Intel SDM and AMD APM reserve it
// for hypervisors.
[[nodiscard]] bool is_virtual_machine();

}  // namespace hm::machine
