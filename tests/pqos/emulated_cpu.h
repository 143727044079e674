// SPDX-License-Identifier: MIT
// The processor that libpqos sees: the results of CPUID, and the number of CPUs. Not every processor can
// redirect the instruction (arch_prctl(ARCH_SET_CPUID) may return ENODEV). In this process's copy of
// libpqos's code, and in hardmeter's one function with CPUID, an invalid instruction of the same length (UD2)
// therefore replaces it. The handler of SIGILL supplies the result.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hm::pqos_test {

enum class Vendor { kIntel, kAmd, kOther };

// Properties that CPUID reports.
struct EmulatedCpu {
  Vendor vendor = Vendor::kIntel;
  bool virtual_machine = false;
  bool monitors = true;  // leaf 7: QoS monitoring
  bool occupancy = true, total = true, local = true;
  uint32_t ids = 8;  // including id 0
  uint32_t bytes_per_count = 65536;
  unsigned counter_bits = 24;
  bool bandwidth_allocation = true;  // AMD's
};

constexpr unsigned kCpus = 4;
constexpr unsigned kCpusOfCache = 2;  // CPU n uses cache n / 2
constexpr uint64_t kCacheBytes = 16U << 20;

// Sets the processor emulated from now on.
void set_emulated_cpu(const EmulatedCpu& cpu);

// Replaces the instruction, once per process. Returns the reason if this is impossible, else "".
std::string emulate_cpuid();

}  // namespace hm::pqos_test
