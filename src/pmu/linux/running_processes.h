// SPDX-License-Identifier: MIT
// Describes, for a recording, the kernel and the processes that ran before the recording began. The kernel
// itself reports only later ones.
#pragma once

#include <linux/perf_event.h>
#include <sys/types.h>

#include <vector>

#include "base/bytes.h"
#include "pmu/linux/kernel.h"
#include "record/features.h"

namespace hm::linux_pmu {

// Writes whole records with time 0: COMM for each thread, FORK for each thread but the first, MMAP2 for each
// mapping with code (with `data_too` for all mappings). `attr` determines the fields at the end of the
// records. If the process ends meanwhile, the description is incomplete.
void describe_process(Kernel& kernel, pid_t pid, const perf_event_attr& attr, bool data_too, ByteWriter& out);

// Returns all processes, for a measurement of the whole system or of CPUs.
[[nodiscard]] std::vector<pid_t> running_processes(Kernel& kernel);

// Returns the process that a thread belongs to, or the thread itself if that cannot be determined.
[[nodiscard]] pid_t process_of(Kernel& kernel, pid_t tid);

// Writes MMAP records of the kernel's code and of its modules, and KSYMBOL records of its BPF programs.
// Writes none if their addresses are hidden (kernel.kptr_restrict).
void describe_kernel(Kernel& kernel, const perf_event_attr& attr, ByteWriter& out);

// Adds the build ID of the running kernel. Without it perf does not use the kernel's symbols.
void add_kernel_build_id(Kernel& kernel, record::Features& features);

}  // namespace hm::linux_pmu
