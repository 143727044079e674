// SPDX-License-Identifier: MIT
// The kernel's interface, as this folder uses it: the only place that makes perf_event_open(2)'s system
// calls, and which a test replaces.
#pragma once

#include <linux/perf_event.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "event/hardware/cpu_model.h"

namespace hm::linux_pmu {

// Failures are negative errno values, as the system calls give them.
class Kernel {
 public:
  virtual ~Kernel() = default;

  // perf_event_open(2), close-on-exec: a file descriptor for the caller to close. Where this process has too
  // many open, its limit is raised to the most that it may have first.
  virtual int open(const perf_event_attr& attr, pid_t pid, int cpu, int group_fd, unsigned long flags) = 0;
  // PERF_EVENT_IOC_*.
  virtual int control(int fd, unsigned long request, uint64_t argument) = 0;
  // PERF_EVENT_IOC_ID.
  virtual std::optional<uint64_t> id_of(int fd) = 0;
  // The counter and what its read_format adds; the number of 64-bit words read.
  virtual ssize_t read(int fd, std::span<uint64_t> words) = 0;
  // The ring of `fd`: its control page and `data_bytes` of data. nullptr with `error` set.
  virtual void* map(int fd, size_t bytes, int& error) = 0;
  virtual void unmap(void* base, size_t bytes) = 0;
  // A folder for PERF_FLAG_PID_CGROUP: a file descriptor for the caller to close.
  virtual int open_folder(const std::string& path) = 0;
  // A small file of /proc or /sys without its last newline; nullopt where it cannot be read.
  virtual std::optional<std::string> file(const std::string& path) = 0;
  // The names in a folder of /proc or /sys, sorted; empty where it cannot be read.
  virtual std::vector<std::string> folder(const std::string& path) = 0;
  [[nodiscard]] virtual bool is_root() = 0;
  // The processor it runs on.
  [[nodiscard]] virtual event::CpuModel cpu() = 0;
};

// The running one.
[[nodiscard]] Kernel& this_kernel();

// From now on it opens as many files as the process may have, whatever limit it has set itself
// (RLIMIT_NOFILE): for a program of our own, where that breaks nobody's select(2).
void allow_more_files();

}  // namespace hm::linux_pmu
