// SPDX-License-Identifier: MIT
// State that a recording must repeat when it continues in another file: the threads and their names, the
// mappings, the kernel's code, and the allocation sites.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "base/bytes.h"
#include "record/event.h"
#include "record/perf_record.h"

namespace hm::record {

class RecordedState {
 public:
  explicit RecordedState(std::vector<EventDescription> events);

  void see(Bytes whole_records);

  // Appends the records that describe the current state. They have no time, like the records that perf
  // synthesizes: a reader processes them in file order. Then forgets the threads that ended before the
  // previous call. Threads that ended since are kept, because other rings may still deliver samples of them.
  void repeat(ByteWriter& out);

 private:
  using Stored = std::vector<std::byte>;

  struct Mapping {
    uint64_t end = 0;
    uint64_t number = 0;  // sequence number in order of arrival
    Stored record;
  };
  struct Process {
    std::map<uint64_t, Mapping> mappings;  // keyed by start address
    std::set<uint32_t> threads;
  };
  struct Thread {
    uint32_t pid = 0;
    Stored fork;  // empty: the thread existed when the recording began
    Stored comm;
  };

  void see_record(const perf_event_header& header, Bytes record);
  void see_mapping(const Record& record, Stored stored);
  void see_comm(const Record& record, Stored stored);
  void see_fork(const Record& record, Stored stored);
  void see_exit(const Record& record);
  void forget(uint32_t tid);
  [[nodiscard]] bool is_heap_site(Bytes sample) const;
  [[nodiscard]] Stored without_time(Bytes record) const;

  std::vector<EventDescription> events_;
  size_t sample_id_bytes_;
  uint64_t next_mapping_ = 0;
  std::map<uint32_t, Process> processes_;
  std::map<uint32_t, Thread> threads_;
  std::set<uint32_t> ended_, ended_before_;
  std::vector<Stored> others_;  // kernel symbols, BPF programs, namespaces, allocation sites
};

}  // namespace hm::record
