// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <optional>
#include <string_view>

#include "base/cpu_time.h"

namespace hm {

// Fields of /proc/PID/stat of a process or thread (proc(5)): "PID (NAME) STATE PARENT ...". NAME may hold any
// characters.
struct ProcessStat {
  char state = 0;    // R, S, Z, ...
  pid_t parent = 0;  // 0 if unknown
  CpuTime cpu_time;  // of all its live and ended threads; zeros if the line is too short

  bool operator==(const ProcessStat&) const = default;
};

// Returns nullopt if `line` does not have this format.
[[nodiscard]] std::optional<ProcessStat> parse_process_stat(std::string_view line);

// Returns the CPU time of all live and ended threads of the process, from /proc/PID/stat; zeros if there is
// no such process.
[[nodiscard]] CpuTime cpu_time_of(pid_t process);

}  // namespace hm
