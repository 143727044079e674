// SPDX-License-Identifier: MIT
// The records that describe a process: its name, its mappings, its threads, its end. Layouts:
// perf_event_open(2), "PERF_RECORD_MMAP2" and the records near it. Freestanding: an engine provides the
// values, and writes the records to its ring.
#pragma once

#include <stdint.h>

#include "pmu/soft/ring/session_layout.h"
#include "pmu/soft/sampling/record_builder.h"

namespace hm::soft {

// The process, thread and time of a record. These are also the record's last fields (sample_id_all).
struct Origin {
  uint32_t pid;
  uint32_t tid;
  uint64_t time_ns;  // CLOCK_MONOTONIC
};

struct Mapping {
  uint64_t start = 0;
  uint64_t bytes = 0;
  uint64_t file_offset = 0;
  uint32_t device_major = 0;
  uint32_t device_minor = 0;
  uint64_t inode = 0;
  uint32_t protection = 0;  // PROT_* of mmap(2)
  bool shared = false;      // with other processes, which see each other's writes
  bool of_file = false;     // offset, device and inode are valid
  const char* name = "";    // the file's path, or the kernel's "[heap]", "[stack]" or "//anon"

  // Whether a sample's address in it may need a lookup: files, mappings with a kernel name, and executable
  // memory.
  [[nodiscard]] bool worth_recording() const;
};

// The thread's name, from exec or set by the program; truncated as in the kernel.
RecordBuilder comm_record(const Origin& origin, const char* name, bool by_exec);

// A new thread if the origin and its parent have the same pid; else a forked process.
RecordBuilder fork_record(const Origin& origin, uint32_t parent_pid, uint32_t parent_tid);

RecordBuilder exit_record(const Origin& origin);

RecordBuilder mapping_record(const Origin& origin, const Mapping& mapping);

// The heap after the program's data; brk(2) moves its end.
Mapping heap_mapping(uint64_t start, uint64_t end);

// Anonymous memory.
Mapping memory_mapping(uint64_t start, uint64_t end, uint32_t protection);

// The range of the origin's stack: "[stack:TID]", Linux's name for it until 4.4.
RecordBuilder thread_stack_record(const Origin& origin, uint64_t start, uint64_t end);

// Reports an instruction that the engine cannot run; `available` bytes can be read at `ip`.
NoticeRecord undecodable_notice(uint32_t pid, uint64_t ip, uint64_t available);

// Reports that the process continues natively.
NoticeRecord leave_notice(uint32_t pid, LeaveReason reason);

// The last part of a path.
const char* base_name(const char* path);

}  // namespace hm::soft
