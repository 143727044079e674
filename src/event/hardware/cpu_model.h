// SPDX-License-Identifier: MIT
// Which processor this is: a plain struct, so that a test or a user can name another than the host's.
#pragma once

#include <cstdint>
#include <string_view>

namespace hm::event {

enum class Vendor : uint8_t { kUnknown, kIntel, kAmd, kArm };

struct CpuModel {
  Vendor vendor = Vendor::kUnknown;
  uint32_t family = 0;        // x86: base and extended family added up; Arm: 0
  uint32_t model = 0;         // x86: base and extended model joined; Arm: the part number
  uint32_t stepping = 0;      // Arm: the revision
  bool has_cpu_core = false;  // sysfs has a PMU cpu_core: the performance cores of a hybrid processor
  bool has_cpu_atom = false;  // and cpu_atom: its efficient cores

  friend bool operator==(const CpuModel&, const CpuModel&) = default;
};

// From CPUID leaf 1's EAX and leaf 0's vendor string (Intel SDM volume 2, CPUID; AMD APM volume 3, appendix
// E).
[[nodiscard]] CpuModel cpu_from_cpuid(std::string_view vendor, uint32_t signature);

// From MIDR_EL1 (Arm ARM, D17): implementer, part number, revision.
[[nodiscard]] CpuModel cpu_from_midr(uint64_t midr);

// This machine's: CPUID where that is x86, sysfs' midr_el1 where it is Arm. Asked for each time; unknown
// where neither tells.
[[nodiscard]] CpuModel host_cpu();

}  // namespace hm::event
