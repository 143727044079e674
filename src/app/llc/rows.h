// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hm::llc {

// A row to be measured.
struct WantedRow {
  std::string key;           // identifies the row across refreshes
  std::string name;          // display name
  std::string parent;        // key of the parent row; empty: none
  std::optional<pid_t> pid;  // of a process or a thread
  // Measured entities: processes with all their threads, or threads, or logical CPUs, or domains of Xen.
  std::vector<pid_t> processes, threads;
  std::vector<uint32_t> cpus, xen_domains = {};
  uint64_t ways = 0;  // CAT mask of the ways that it may allocate into; 0: unrestricted
};

// Returns the rows to measure now; called at each refresh.
using WantedRows = std::function<std::vector<WantedRow>()>;

}  // namespace hm::llc
