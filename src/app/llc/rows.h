// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hm::llc {

// A row that is to be measured.
struct WantedRow {
  std::string key;           // stays the same from one refresh to the next
  std::string name;          // for people
  std::string parent;        // the key of the row that it is shown below; empty: of none
  std::optional<pid_t> pid;  // of a process, or of a thread
  // What is measured: processes with all their threads, or threads, or logical CPUs, or
  // domains of Xen.
  std::vector<pid_t> processes, threads;
  std::vector<uint32_t> cpus, xen_domains = {};
  uint64_t ways = 0;  // it is bounded to these of the cache's ways, a mask; 0: it is not
};

// What rows are wanted now; asked at each refresh.
using WantedRows = std::function<std::vector<WantedRow>()>;

}  // namespace hm::llc
