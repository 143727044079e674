// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace hm {

// Returns the rest of a line of /proc/PID/status of a process or thread, such as that of "TracerPid", without
// leading blanks; empty if there is no such line.
[[nodiscard]] std::string status_text(pid_t process, std::string_view name);

// Returns the decimal number there; 0 if there is none.
[[nodiscard]] long status_field(pid_t process, std::string_view name);

}  // namespace hm
