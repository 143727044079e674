// SPDX-License-Identifier: MIT
// Interface to the kernel. Only its implementation makes perf_event_open(2)'s system calls. Tests replace it.
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

// Failures are negative errno values, as the system calls return them.
class Kernel {
 public:
  virtual ~Kernel() = default;

  // Calls perf_event_open(2) with close-on-exec. Returns a file descriptor that the caller closes. If this
  // process has too many open files and allow_more_files() was called, raises its limit to the hard limit and
  // tries again.
  virtual int open(const perf_event_attr& attr, pid_t pid, int cpu, int group_fd, unsigned long flags) = 0;
  // PERF_EVENT_IOC_*.
  virtual int control(int fd, unsigned long request, uint64_t argument) = 0;
  // PERF_EVENT_IOC_ID.
  virtual std::optional<uint64_t> id_of(int fd) = 0;
  // Reads the counter and the fields of its read_format. Returns the number of 64-bit words read.
  virtual ssize_t read(int fd, std::span<uint64_t> words) = 0;
  // Maps the ring of `fd`: its control page and `data_bytes` of data. On failure returns nullptr and sets
  // `error`.
  virtual void* map(int fd, size_t bytes, int& error) = 0;
  virtual void unmap(void* base, size_t bytes) = 0;
  // Opens a folder for PERF_FLAG_PID_CGROUP. Returns a file descriptor that the caller closes.
  virtual int open_folder(const std::string& path) = 0;
  // Returns a small file of /proc or /sys without its last newline; nullopt if it cannot be read.
  virtual std::optional<std::string> file(const std::string& path) = 0;
  // Returns the names in a folder of /proc or /sys, sorted; empty if it cannot be read.
  virtual std::vector<std::string> folder(const std::string& path) = 0;
  [[nodiscard]] virtual bool is_root() = 0;
  // The processor that this kernel runs on.
  [[nodiscard]] virtual event::CpuModel cpu() = 0;
};

// The running kernel.
[[nodiscard]] Kernel& this_kernel();

// Lets this_kernel() open as many files as the process's hard limit permits, above its own soft limit
// (RLIMIT_NOFILE). For programs of this project, which do not use select(2).
void allow_more_files();

}  // namespace hm::linux_pmu
