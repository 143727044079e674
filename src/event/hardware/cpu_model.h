// SPDX-License-Identifier: MIT
// Identity of a processor: a plain struct, so that tests and users can choose another than the host's.
#pragma once

#include <cstdint>
#include <string_view>

namespace hm::event {

enum class Vendor : uint8_t { kUnknown, kIntel, kAmd, kArm };

struct CpuModel {
  Vendor vendor = Vendor::kUnknown;
  uint32_t family = 0;            // x86: sum of base and extended family; Arm: 0
  uint32_t model = 0;             // x86: base and extended model combined; Arm: part number
  uint32_t stepping = 0;          // Arm: revision
  bool has_cpu_core = false;      // sysfs has a PMU cpu_core: performance cores of a hybrid processor
  bool has_cpu_atom = false;      // sysfs has a PMU cpu_atom: efficient cores of a hybrid processor
  bool has_cpu_lowpower = false;  // sysfs has a PMU cpu_lowpower: efficient cores on its low-power island

  friend bool operator==(const CpuModel&, const CpuModel&) = default;
};

// Decodes CPUID leaf 1's EAX and leaf 0's vendor string (Intel SDM volume 2, CPUID; AMD APM volume 3,
// appendix E).
[[nodiscard]] CpuModel cpu_from_cpuid(std::string_view vendor, uint32_t signature);

// Decodes implementer, part number and revision from MIDR_EL1 (Arm ARM, D17).
[[nodiscard]] CpuModel cpu_from_midr(uint64_t midr);

// Returns this machine's model, from CPUID on x86 and from sysfs' midr_el1 on Arm. Reads it anew at each
// call. The vendor is unknown if neither source exists.
[[nodiscard]] CpuModel host_cpu();

}  // namespace hm::event
