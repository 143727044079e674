// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/descent.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace hm::soft {
namespace {

// The fourth field of /proc/PID/stat; the second is a name in parentheses. 0: there is no such process.
pid_t parent_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string line;
  std::getline(file, line);
  size_t name_end = line.rfind(") ");
  return name_end == std::string::npos || name_end + 4 >= line.size()
             ? 0
             : std::atoi(line.c_str() + name_end + 4);
}

}  // namespace

bool descends_from_us(pid_t process) {
  constexpr int kMostGenerations = 10000;
  pid_t self = ::getpid();
  for (int i = 0; i < kMostGenerations && process > 1; ++i) {
    process = parent_of(process);
    if (process == self) return true;
  }
  return false;
}

}  // namespace hm::soft
