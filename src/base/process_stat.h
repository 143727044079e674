// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <optional>
#include <string_view>

#include "base/cpu_time.h"

namespace hm {

// What /proc/PID/stat says of a process or thread (proc(5)): "PID (NAME) STATE PARENT ...", where the name
// may hold anything.
struct ProcessStat {
  char state = 0;    // R, S, Z, ...
  pid_t parent = 0;  // 0 where it is not told
  CpuTime cpu_time;  // of all threads that it has or had; zeros if the line ends before

  bool operator==(const ProcessStat&) const = default;
};

// nullopt for what is no such line.
[[nodiscard]] std::optional<ProcessStat> parse_process_stat(std::string_view line);

// Of all threads that the process has or had, from /proc/PID/stat; zeros if there is no such process.
[[nodiscard]] CpuTime cpu_time_of(pid_t process);

}  // namespace hm
