// SPDX-License-Identifier: MIT
// Sources of rows: processes, threads, process trees, control groups, virtual machines, CPUs, and domains of
// Xen.
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
  std::vector<pid_t> processes;            // only these processes and their descendants; empty: all
  std::vector<uint32_t> cpus;              // for rows by CPU
  bool of_xen = false;                     // rows are domains of Xen
  std::vector<uint32_t> xen_domains = {};  // only these domains; empty: all
  std::vector<pid_t> roots = {};           // each of these processes begins a separate tree
  pid_t apart_from = 0;                    // each child of this process begins a separate tree; 0: disabled
};

// Refreshes `tasks` at each call.
[[nodiscard]] WantedRows wanted_rows(const RowOptions& options, std::shared_ptr<TaskTable> tasks);

// Returns the name of a virtual machine from the command line of its process: QEMU's -name, else the
// hypervisor program. Returns an empty string if the process is no virtual machine.
[[nodiscard]] std::string vm_name(const std::vector<std::string>& command_line);

}  // namespace hm::llc
