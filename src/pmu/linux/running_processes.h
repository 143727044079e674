// SPDX-License-Identifier: MIT
// What a recording has to be told of processes that ran before it began, and of the kernel: the kernel itself
// tells of later ones only.
#pragma once

#include <linux/perf_event.h>
#include <sys/types.h>

#include <vector>

#include "base/bytes.h"
#include "pmu/linux/kernel.h"
#include "record/features.h"

namespace hm::linux_pmu {

// Whole records, of time 0: COMM for each thread, FORK for each but the first of a process, MMAP2 for each
// mapping with code (`data_too`: for all). `attr` decides how the records end. A process that goes meanwhile
// is told of as far as it was seen.
void describe_process(Kernel& kernel, pid_t pid, const perf_event_attr& attr, bool data_too, ByteWriter& out);

// All of them: for a whole system or CPU.
[[nodiscard]] std::vector<pid_t> running_processes(Kernel& kernel);

// The process that a thread belongs to; the thread itself where that cannot be known.
[[nodiscard]] pid_t process_of(Kernel& kernel, pid_t tid);

// MMAP of the kernel's own code and of its modules; nothing where their addresses are hidden
// (kernel.kptr_restrict).
void describe_kernel(Kernel& kernel, const perf_event_attr& attr, ByteWriter& out);

// Adds the build ID of the running kernel, without which its symbols are not used.
void add_kernel_build_id(Kernel& kernel, record::Features& features);

}  // namespace hm::linux_pmu
