// SPDX-License-Identifier: MIT
// Reads tasks and mappings from the memory of the guest's kernel.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "pmu/soft/guest/kernel_layout.h"
#include "pmu/soft/guest/kernel_memory.h"
#include "pmu/soft/sampling/process_records.h"

namespace hm::soft::guest {

struct Task {
  uint32_t pid = 0;  // of the process
  uint32_t tid = 0;
  std::string name;
};

// A mapping, and the name that Mapping refers to.
struct NamedMapping {
  Mapping mapping;
  std::string name;
};

class Tasks {
 public:
  Tasks(const KernelLayout& layout, KernelMemory memory) : at_(layout), memory_(std::move(memory)) {}

  // Returns the address of the task that runs on the CPU.
  [[nodiscard]] uint64_t current(unsigned cpu) const;
  [[nodiscard]] Task read(uint64_t task) const;
  // Calls `visit` with each process that exists, kernel threads included.
  void for_each(const std::function<void(const Task&)>& visit) const;
  // Reads a mapping from the address of its vm_area_struct. Device and inode are unknown: those of the
  // guest's file systems are not this machine's.
  [[nodiscard]] NamedMapping mapping_at(uint64_t area) const;

 private:
  [[nodiscard]] std::string path_of(uint64_t file) const;
  [[nodiscard]] const char* special_name(uint64_t area, const Mapping& mapping) const;

  KernelLayout at_;
  KernelMemory memory_;
};

}  // namespace hm::soft::guest
