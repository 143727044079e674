// SPDX-License-Identifier: MIT
#include "pmu/linux/host_features.h"

#include <fmt/format.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "base/cpu_identity.h"

namespace hm::linux_pmu {
namespace {

// Returns the number in the line with `key`, for example in "Node 0 MemTotal: 1024 kB".
uint64_t kib_of(const std::filesystem::path& meminfo, std::string_view key) {
  std::ifstream file(meminfo);
  for (std::string line; std::getline(file, line);) {
    size_t at = line.find(key);
    if (at != std::string::npos) return std::strtoull(line.c_str() + at + key.size(), nullptr, 10);
  }
  return 0;
}

// perf c2c needs the NUMA nodes. A host that does not report them is one node.
std::vector<record::NumaNode> numa_nodes(const record::Features& features) {
  std::vector<record::NumaNode> nodes;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/sys/devices/system/node", error)) {
    std::string name = entry.path().filename();
    if (!name.starts_with("node") || name.find_first_not_of("0123456789", 4) != std::string::npos) continue;
    record::NumaNode node{.number = static_cast<uint32_t>(std::strtoul(name.c_str() + 4, nullptr, 10)),
                          .total_kib = kib_of(entry.path() / "meminfo", "MemTotal:"),
                          .free_kib = kib_of(entry.path() / "meminfo", "MemFree:")};
    std::ifstream(entry.path() / "cpulist") >> node.cpus;
    nodes.push_back(node);
  }
  std::ranges::sort(nodes, {}, &record::NumaNode::number);
  if (nodes.empty() && features.cpus) {
    nodes.push_back({.total_kib = features.total_mem_kib.value_or(0),
                     .cpus = fmt::format("0-{}", features.cpus->online - 1)});
  }
  return nodes;
}

}  // namespace

record::Features host_features(const std::vector<std::string>& command_line) {
  record::Features features;
  features.cmdline = command_line;
  features.version = "hardmeter " HM_VERSION;
  if (struct utsname name{}; ::uname(&name) == 0) {
    features.hostname = name.nodename;
    features.os_release = name.release;
    features.arch = name.machine;
  }
  long available = ::sysconf(_SC_NPROCESSORS_CONF);
  long online = ::sysconf(_SC_NPROCESSORS_ONLN);
  if (available > 0 && online > 0) {
    features.cpus = {.available = static_cast<uint32_t>(available), .online = static_cast<uint32_t>(online)};
  }
  features.cpu_desc = cpu_name();
  features.cpu_id = cpu_identity();
  if (struct sysinfo info{}; ::sysinfo(&info) == 0)
    features.total_mem_kib = info.totalram * info.mem_unit / 1024;
  features.numa_nodes = numa_nodes(features);
  struct timespec resolution {};
  if (::clock_getres(CLOCK_MONOTONIC, &resolution) == 0) {
    features.clock_resolution_ns = static_cast<uint64_t>(resolution.tv_nsec);
  }
  return features;
}

}  // namespace hm::linux_pmu
