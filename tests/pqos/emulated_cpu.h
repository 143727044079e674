// SPDX-License-Identifier: MIT
// The processor that libpqos sees: what CPUID answers, and how many CPUs there are. The instruction cannot be
// redirected on every processor (arch_prctl(ARCH_SET_CPUID) may answer ENODEV), so in this process's copy of
// libpqos's code, and in hardmeter's one function that has it, it is replaced by one that is not valid (UD2,
// as long), and the handler of SIGILL answers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hm::pqos_test {

enum class Vendor { kIntel, kAmd, kOther };

// As CPUID tells of it.
struct EmulatedCpu {
  Vendor vendor = Vendor::kIntel;
  bool virtual_machine = false;
  bool monitors = true;  // leaf 7: QoS monitoring
  bool occupancy = true, total = true, local = true;
  uint32_t ids = 8;  // with id 0
  uint32_t bytes_per_count = 65536;
  unsigned counter_bits = 24;
  bool bandwidth_allocation = true;  // AMD's
};

constexpr unsigned kCpus = 4;
constexpr unsigned kCpusOfCache = 2;  // CPU n is at cache n / 2
constexpr uint64_t kCacheBytes = 16U << 20;

// What is answered from now on.
void set_emulated_cpu(const EmulatedCpu& cpu);

// Replaces the instruction; where that cannot be done, why not. Once for a process.
std::string emulate_cpuid();

}  // namespace hm::pqos_test
