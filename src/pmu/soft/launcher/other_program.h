// SPDX-License-Identifier: MIT
// Other people's programs that engines run: QEMU and Valgrind.
#pragma once

#include <string>
#include <vector>

namespace hm::soft {

// Returns the first line that `program --version` prints; empty if the program cannot run.
[[nodiscard]] std::string version_line(const std::string& program);

// Returns the strings as execve(2) takes them. They must outlive the result.
[[nodiscard]] std::vector<char*> pointers_to(const std::vector<std::string>& strings);

}  // namespace hm::soft
