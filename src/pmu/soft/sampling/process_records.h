// SPDX-License-Identifier: MIT
// The records that describe a process: its name, its mappings, its threads, its end. Layouts:
// perf_event_open(2), "PERF_RECORD_MMAP2" and its neighbours. Freestanding: an engine provides the values,
// and writes the records to its ring.
#pragma once

#include <stdint.h>

#include "pmu/soft/ring/session_layout.h"
#include "pmu/soft/sampling/record_builder.h"

namespace hm::soft {

// Which process and thread a record is about, and when. These are also the record's last fields
// (sample_id_all).
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
  bool shared = false;      // with other processes: what one writes is there for all
  bool of_file = false;     // offset, device and inode mean something
  const char* name = "";    // the file's path; "[heap]", "[stack]" or "//anon" as the kernel has it

  // Whether a sample's address in it may have to be looked up: files, mappings with a name of the kernel's,
  // and whatever is executable.
  [[nodiscard]] bool worth_recording() const;
};

// The thread's name, from exec or given by the program; cut as the kernel cuts it.
RecordBuilder comm_record(const Origin& origin, const char* name, bool by_exec);

// A new thread, where the origin and its parent have the same pid; else a forked process.
RecordBuilder fork_record(const Origin& origin, uint32_t parent_pid, uint32_t parent_tid);

RecordBuilder exit_record(const Origin& origin);

RecordBuilder mapping_record(const Origin& origin, const Mapping& mapping);

// The heap behind the program's data, whose end brk(2) moves.
Mapping heap_mapping(uint64_t start, uint64_t end);

// Anonymous memory.
Mapping memory_mapping(uint64_t start, uint64_t end, uint32_t protection);

// Where the origin's stack lies: "[stack:TID]", as Linux named it until 4.4.
RecordBuilder thread_stack_record(const Origin& origin, uint64_t start, uint64_t end);

// Reports an instruction that the engine cannot run; `available` bytes can be read at `ip`.
NoticeRecord undecodable_notice(uint32_t pid, uint64_t ip, uint64_t available);

// Reports that the process goes on natively.
NoticeRecord leave_notice(uint32_t pid, LeaveReason reason);

// The last part of a path.
const char* base_name(const char* path);

}  // namespace hm::soft
