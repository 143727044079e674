// SPDX-License-Identifier: MIT
// What the rows are: processes, threads, trees of processes, control groups, virtual machines, CPUs, domains
// of Xen.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/occupancy/snapshot.h"
#include "app/llc/rows.h"
#include "app/llc/task_table.h"

namespace hm::llc {

struct RowOptions {
  occupancy::By by = occupancy::By::kProcess;
  std::vector<pid_t> processes;            // these, and what they start; none: all
  std::vector<uint32_t> cpus;              // of rows by CPU
  bool of_xen = false;                     // the rows are domains of Xen
  std::vector<uint32_t> xen_domains = {};  // these; none: all
  std::vector<pid_t> roots = {};           // each of these begins a tree of its own
  pid_t apart_from = 0;                    // and so does what this process started; 0: nothing does
};

// `tasks` is refreshed at each call.
[[nodiscard]] WantedRows wanted_rows(const RowOptions& options, std::shared_ptr<TaskTable> tasks);

// "/system.slice/docker-0123...scope" as people call it: "docker 0123456789ab"; likewise what containerd,
// CRI-O, podman and Kubernetes name, and systemd's units. Others as they are.
[[nodiscard]] std::string cgroup_name(const std::string& path);

// The name of the virtual machine that a process is by its command line: QEMU's -name, else what runs it;
// empty where it is none.
[[nodiscard]] std::string vm_name(const std::vector<std::string>& command_line);

}  // namespace hm::llc
