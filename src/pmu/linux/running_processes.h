// SPDX-License-Identifier: MIT
// Describes, for a recording, the kernel and the processes that ran before the recording began. The kernel
// itself reports only later ones.
#pragma once

#include <linux/perf_event.h>
#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
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

// Reads a file of /proc or /sys that describes a kernel: this machine's, or a guest's.
using KernelFiles = std::function<std::optional<std::string>(const std::string& path)>;

// `kernel` has to outlive the result.
[[nodiscard]] KernelFiles files_of(Kernel& kernel);

// Writes MMAP records of the kernel's code and of its modules, and KSYMBOL records of its BPF programs.
// Writes none if their addresses are hidden (kernel.kptr_restrict).
void describe_kernel(const KernelFiles& read, const perf_event_attr& attr, ByteWriter& out);

// Adds the build ID of the kernel. Without it perf does not use the kernel's symbols.
void add_kernel_build_id(const KernelFiles& read, record::Features& features);

// Returns the names of the loaded modules. `modules`: lines of /proc/modules.
[[nodiscard]] std::vector<std::string> module_names(std::string_view modules);

}  // namespace hm::linux_pmu
