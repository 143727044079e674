// SPDX-License-Identifier: MIT
// Reports mappings of files and of executable memory to the recorder when they are made or become executable.
// The data come from the program's own system calls, because a compiler makes thousands of them. The file
// /proc/thread-self/maps is read only if the arguments of these calls do not suffice. Called with the lock of
// copies held.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/program/common_models.h"
#include "pmu/soft/direct/runtime/memory_map.h"
#include "pmu/soft/direct/runtime/ranges.h"
#include "pmu/soft/direct/session/ring_recording.h"
#include "pmu/soft/sampling/reported_mappings.h"

namespace hm::soft::direct {

// The arguments of mmap(2), with the end of its last page.
struct NewMapping {
  uint64_t start, end;
  uint64_t protection, flags;
  int fd;
  uint64_t offset;
};

class Mappings {
 public:
  constexpr Mappings(Recording& recording, CommonModels& common) : recording_(recording), common_(common) {}

  // Forgets all mappings, for example after the program has run natively.
  void forget_all();
  // Records a mapping that existed at the start and has been reported.
  void note_first(const MappedRange& range);
  void note_mapped(uint32_t pid, const NewMapping& mapping);
  // Records that [start, end) is unmapped, or mapped to something unknown.
  void note_unmapped(uint64_t start, uint64_t end);
  // Records that [start, end) is anonymous memory from now on. It is reported only if a named mapping was
  // reported there before.
  void note_memory(uint32_t pid, uint64_t start, uint64_t end, uint64_t protection);
  // Called when brk(2) has moved the program break to `end`.
  void note_break(uint32_t pid, uint64_t end);
  void note_thread_stack(uint32_t pid, uint32_t tid, uint64_t start, uint64_t end);
  // Records that [start, end) is executable from now on.
  void note_executable(uint32_t pid, uint64_t start, uint64_t end, uint64_t protection);

  // Returns true if [start, end) is known to be private anonymous memory.
  [[nodiscard]] bool is_nameless(uint64_t start, uint64_t end) const { return anonymous_.hold(start, end); }

 private:
  void report(uint32_t pid, const Mapping& mapping);
  bool note_file(uint32_t pid, const NewMapping& from);

  Recording& recording_;
  CommonModels& common_;
  Ranges anonymous_;      // private anonymous memory
  Ranges reported_;       // executable memory that has been reported
  ReportedRanges named_;  // ranges last reported as named mappings
  ReportedHeap heap_;
};

}  // namespace hm::soft::direct
