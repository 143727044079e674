// SPDX-License-Identifier: MIT
#include "base/process_status.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

namespace hm {

std::string status_text(pid_t process, std::string_view name) {
  std::string wanted = fmt::format("{}:", name);
  std::ifstream file(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(wanted)) continue;
    size_t begin = line.find_first_not_of(" \t", wanted.size());
    return begin == std::string::npos ? std::string() : line.substr(begin);
  }
  return {};
}

long status_field(pid_t process, std::string_view name) {
  return std::atol(status_text(process, name).c_str());
}

}  // namespace hm
