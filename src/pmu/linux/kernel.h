// SPDX-License-Identifier: MIT
// The kernel interface that this folder uses. Only this class calls perf_event_open(2), and tests replace it.
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

// Failures are negative errno values, as system calls return them.
class Kernel {
 public:
  virtual ~Kernel() = default;

  // Calls perf_event_open(2) with close-on-exec. Returns a file descriptor that the caller closes. If this
  // process has too many open files, first raises its limit to the hard limit if allow_more_files() was
  // called.
  virtual int open(const perf_event_attr& attr, pid_t pid, int cpu, int group_fd, unsigned long flags) = 0;
  // Calls ioctl(2) with a PERF_EVENT_IOC_* request.
  virtual int control(int fd, unsigned long request, uint64_t argument) = 0;
  // Returns the event id (PERF_EVENT_IOC_ID).
  virtual std::optional<uint64_t> id_of(int fd) = 0;
  // Reads the counter and the values that its read_format adds. Returns the number of 64-bit words read.
  virtual ssize_t read(int fd, std::span<uint64_t> words) = 0;
  // Maps the ring of `fd`, in total `bytes` of control page and data. On failure returns nullptr and sets
  // `error`.
  virtual void* map(int fd, size_t bytes, int& error) = 0;
  virtual void unmap(void* base, size_t bytes) = 0;
  // Opens a folder for PERF_FLAG_PID_CGROUP. Returns a file descriptor that the caller closes.
  virtual int open_folder(const std::string& path) = 0;
  // Reads a small file of /proc or /sys, without the last newline. Returns nullopt if the file cannot be
  // read.
  virtual std::optional<std::string> file(const std::string& path) = 0;
  // Returns the names in a folder of /proc or /sys, sorted; empty if the folder cannot be read.
  virtual std::vector<std::string> folder(const std::string& path) = 0;
  [[nodiscard]] virtual bool is_root() = 0;
  // Returns the model of this machine's processor.
  [[nodiscard]] virtual event::CpuModel cpu() = 0;
};

// Returns the kernel of this machine.
[[nodiscard]] Kernel& this_kernel();

// Allows this_kernel() to raise the process's limit on open files (RLIMIT_NOFILE) to the hard limit when it
// needs more. Only for programs in which no code relies on select(2) with small file numbers.
void allow_more_files();

}  // namespace hm::linux_pmu
