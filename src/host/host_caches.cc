// SPDX-License-Identifier: MIT
#include "host/host_caches.h"

#include <cpuid.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace hm::host {
namespace {

constexpr int kMaxCaches = 16;

template <typename T>
T read_value(const std::filesystem::path& path) {
  T value{};
  std::ifstream(path) >> value;
  return value;
}

}  // namespace

std::vector<HostCache> host_caches(int cpu) {
  std::vector<HostCache> caches;
  const std::filesystem::path root = fmt::format("/sys/devices/system/cpu/cpu{}/cache", cpu);
  for (int index = 0; index < kMaxCaches; ++index) {
    auto folder = root / fmt::format("index{}", index);
    std::error_code ignored;
    if (!std::filesystem::exists(folder, ignored)) break;
    HostCache cache{read_value<int>(folder / "level"),
                    read_value<std::string>(folder / "type"),
                    read_value<uint32_t>(folder / "number_of_sets"),
                    read_value<uint32_t>(folder / "ways_of_associativity"),
                    read_value<uint32_t>(folder / "coherency_line_size"),
                    read_value<std::string>(folder / "shared_cpu_list")};
    if (cache.size_bytes() != 0) caches.push_back(cache);
  }
  return caches;
}

bool is_virtual_machine() {
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx >> 31) != 0;
}

}  // namespace hm::host
