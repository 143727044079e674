// SPDX-License-Identifier: MIT
#include "event/hardware/cpu_model.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#include <sys/stat.h>

#include <array>
#include <cstring>
#else
#include <fstream>
#endif

namespace hm::event {
namespace {

constexpr uint32_t bits(uint64_t value, unsigned low, unsigned count) {
  return static_cast<uint32_t>(value >> low) & ((1u << count) - 1);
}

#if defined(__x86_64__) || defined(__i386__)
bool exists(const char* path) {
  struct stat status {};
  return ::stat(path, &status) == 0;
}
#endif

}  // namespace

CpuModel cpu_from_cpuid(std::string_view vendor, uint32_t signature) {
  CpuModel cpu;
  if (vendor == "GenuineIntel") cpu.vendor = Vendor::kIntel;
  if (vendor == "AuthenticAMD") cpu.vendor = Vendor::kAmd;
  uint32_t base_family = bits(signature, 8, 4);
  cpu.family = base_family == 0xf ? base_family + bits(signature, 20, 8) : base_family;
  cpu.model = bits(signature, 4, 4);
  if (base_family == 6 || base_family == 0xf) cpu.model |= bits(signature, 16, 4) << 4;
  cpu.stepping = bits(signature, 0, 4);
  return cpu;
}

CpuModel cpu_from_midr(uint64_t midr) {
  constexpr uint32_t kArmLimited = 0x41;
  CpuModel cpu;
  if (bits(midr, 24, 8) == kArmLimited) cpu.vendor = Vendor::kArm;
  cpu.model = bits(midr, 4, 12);
  cpu.stepping = bits(midr, 0, 4);
  return cpu;
}

#if defined(__x86_64__) || defined(__i386__)

CpuModel host_cpu() {
  uint32_t highest_leaf = 0;
  std::array<uint32_t, 3> letters{};
  uint32_t signature = 0;
  uint32_t ignored = 0;
  if (__get_cpuid(0, &highest_leaf, &letters[0], &letters[2], &letters[1]) == 0) return {};
  if (__get_cpuid(1, &signature, &ignored, &ignored, &ignored) == 0) return {};
  std::array<char, sizeof(letters)> vendor{};
  std::memcpy(vendor.data(), letters.data(), vendor.size());
  CpuModel cpu = cpu_from_cpuid({vendor.data(), vendor.size()}, signature);
  cpu.has_cpu_core = exists("/sys/bus/event_source/devices/cpu_core");
  cpu.has_cpu_atom = exists("/sys/bus/event_source/devices/cpu_atom");
  cpu.has_cpu_lowpower = exists("/sys/bus/event_source/devices/cpu_lowpower");
  return cpu;
}

#else

CpuModel host_cpu() {
  std::ifstream file("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1");
  uint64_t midr = 0;
  if (!(file >> std::hex >> midr)) return {};
  return cpu_from_midr(midr);
}

#endif

}  // namespace hm::event
