// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/other_program.h"

#include <array>
#include <cstdio>
#include <memory>

#include "base/shell_word.h"

namespace hm::soft {

std::string version_line(const std::string& program) {
  std::string command = shell_word(program) + " --version 2>/dev/null";
  auto close = [](FILE* pipe) { ::pclose(pipe); };
  std::unique_ptr<FILE, decltype(close)> pipe(::popen(command.c_str(), "re"), close);
  std::array<char, 128> line{};
  if (!pipe || std::fgets(line.data(), line.size(), pipe.get()) == nullptr) return {};
  return line.data();
}

std::vector<char*> pointers_to(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (const std::string& each : strings) pointers.push_back(const_cast<char*>(each.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace hm::soft
