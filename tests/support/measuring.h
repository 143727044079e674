// SPDX-License-Identifier: MIT
// Results of `hardmeter stat` and `hardmeter record` as plain values.
#pragma once

#include <linux/perf_event.h>

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "record/extension.h"
#include "running.h"

namespace hm::soft_pmu_test {

using Counts =
    std::map<std::string, uint64_t>;  // by event name; "cycles" is that of the cost model, if it was measured

// Returns an empty result, and fails the test, if stat fails.
Counts count(const Words& options, const Words& command);

struct Branch {
  uint64_t from;
  uint64_t to;
  bool operator==(const Branch&) const = default;
};
void PrintTo(const Branch& branch, std::ostream* out);  // for GoogleTest

struct Sample {
  std::string event;
  uint32_t pid = 0, tid = 0;
  uint64_t ip = 0, addr = 0, phys_addr = 0, period = 0, weight = 0, run_cycles = 0;
  perf_mem_data_src source{};
  record::AccessKind access_kind{};
  uint32_t access_bytes = 0;
  record::MissClass l1_class{}, l2_class{}, l3_class{};
  bool by_kernel = false;             // the access is of a system call
  std::map<int, uint64_t> registers;  // by perf's number of the register
  std::vector<Branch> branches;       // newest first
  std::vector<uint64_t> call_chain;   // without context markers
};

struct ThreadCount {
  std::string event;
  uint32_t pid, tid;
  uint64_t value;
};

struct Task {
  uint32_t type;  // PERF_RECORD_FORK, PERF_RECORD_EXIT or PERF_RECORD_COMM
  uint32_t pid, tid, parent_pid;
  std::string name;
};

struct Mapped {
  uint32_t pid;
  uint64_t start, bytes, file_offset, inode;
  uint32_t major, minor;
  bool executable;
  std::string path;
};

struct Recording {
  std::vector<Sample> samples;
  std::vector<ThreadCount> totals;
  std::vector<Task> tasks;
  std::vector<Mapped> mappings;  // in order of creation
  size_t heap_sites = 0;         // records of allocation sites, which are no samples

  [[nodiscard]] std::vector<Sample> of(const std::string& event) const;
};

// Decodes a file. Fails the test if the file has any problem.
Recording decode(const std::string& path);
// Records and decodes. Fails the test unless the command ends with `status`.
Recording record(const Words& options, const Words& command, int status = 0);

// Returns the symbols of an ELF file, including labels.
std::map<std::string, uint64_t> labels(const std::string& path);

}  // namespace hm::soft_pmu_test
