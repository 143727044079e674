// SPDX-License-Identifier: MIT
// Writes the records for processes that ran before a recording began, and for the kernel. The kernel itself
// writes records of later processes only.
#pragma once

#include <linux/perf_event.h>
#include <sys/types.h>

#include <vector>

#include "base/bytes.h"
#include "pmu/linux/kernel.h"
#include "record/features.h"

namespace hm::linux_pmu {

// Writes whole records with time 0: COMM for each thread, FORK for each thread but a process's first, and
// MMAP2 for each mapping with code (`data_too`: for all mappings). `attr` sets the format of the records'
// ends. If a process exits meanwhile, writes the part that was read.
void describe_process(Kernel& kernel, pid_t pid, const perf_event_attr& attr, bool data_too, ByteWriter& out);

// Returns all running processes, for a whole system or CPU.
[[nodiscard]] std::vector<pid_t> running_processes(Kernel& kernel);

// Returns the process that a thread belongs to, or the thread itself if its process cannot be read.
[[nodiscard]] pid_t process_of(Kernel& kernel, pid_t tid);

// Writes MMAP records of the kernel's code and of its modules; none if their addresses are hidden
// (kernel.kptr_restrict).
void describe_kernel(Kernel& kernel, const perf_event_attr& attr, ByteWriter& out);

// Adds the build ID of the running kernel. Without it perf does not use the kernel's symbols.
void add_kernel_build_id(Kernel& kernel, record::Features& features);

}  // namespace hm::linux_pmu
