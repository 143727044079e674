// SPDX-License-Identifier: MIT
#include "base/cpu_identity.h"

#include <fstream>
#include <string_view>

namespace hm {
namespace {

// Returns the value of the first line of /proc/cpuinfo that begins with `key`.
std::optional<std::string> cpu_info(std::string_view key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    size_t colon = line.find(": ");
    if (line.starts_with(key) && colon != std::string::npos) return line.substr(colon + 2);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> cpu_identity() {
  std::string identity;
  for (std::string_view key : {"vendor_id", "cpu family", "model\t", "stepping"}) {
    auto value = cpu_info(key);
    if (!value) return std::nullopt;
    identity += (identity.empty() ? "" : ",") + *value;
  }
  return identity;
}

std::optional<std::string> cpu_name() { return cpu_info("model name"); }

}  // namespace hm
