// SPDX-License-Identifier: MIT
#include "app/host_features.h"

#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <ctime>
#include <fstream>

namespace hm::app {
namespace {

// The value of the first line of /proc/cpuinfo that begins with `key`.
std::optional<std::string> cpu_info(std::string_view key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    size_t colon = line.find(": ");
    if (line.starts_with(key) && colon != std::string::npos) return line.substr(colon + 2);
  }
  return std::nullopt;
}

// "AuthenticAMD,25,17,1": perf's form of an x86 CPU's identity.
std::optional<std::string> cpu_identity() {
  std::string identity;
  for (std::string_view key : {"vendor_id", "cpu family", "model\t", "stepping"}) {
    auto value = cpu_info(key);
    if (!value) return std::nullopt;
    identity += (identity.empty() ? "" : ",") + *value;
  }
  return identity;
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
  features.cpu_desc = cpu_info("model name");
  features.cpu_id = cpu_identity();
  if (struct sysinfo info{}; ::sysinfo(&info) == 0)
    features.total_mem_kib = info.totalram * info.mem_unit / 1024;
  struct timespec resolution {};
  if (::clock_getres(CLOCK_MONOTONIC, &resolution) == 0) {
    features.clock_resolution_ns = static_cast<uint64_t>(resolution.tv_nsec);
  }
  return features;
}

}  // namespace hm::app
