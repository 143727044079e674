// SPDX-License-Identifier: MIT
// This process's recording: the session, its ring, and the records that describe the process. Several threads
// write records.
#pragma once

#include <stdint.h>

#include "model/session_cache.h"
#include "pmu/soft/direct/runtime/lock.h"
#include "pmu/soft/direct/runtime/memory_map.h"
#include "pmu/soft/ring/process_link.h"
#include "pmu/soft/ring/ring_writer.h"
#include "pmu/soft/sampling/process_records.h"

namespace hm::soft::direct {

// Maps the session's files, and hides their descriptors from the target.
struct SessionFiles {
  static void* map_shared(int fd, uint64_t bytes);
  static void unmap(void* mapping, uint64_t bytes);
  static int hide_descriptor(int fd);
};

class Recording {
 public:
  explicit constexpr Recording(MemoryMap& maps) : maps_(maps) {}

  // Returns false if the session cannot be reached. Nothing is recorded then.
  bool open(const char* folder, int passed);

  // Creates a ring for this process, at its start or in a forked child.
  void open_ring(uint32_t pid);
  void close_ring();
  // After close_files() the engine has no descriptor. The mapped memory stays.
  void close_files() { link_.close_files(); }
  bool open_files(const char* folder, int passed) { return link_.open_files(folder, passed); }

  // Null if nothing is recorded.
  [[nodiscard]] Session* session() { return link_.session(); }
  [[nodiscard]] RingWriter* ring() { return link_.ring(); }
  [[nodiscard]] int session_descriptor() const { return link_.session_descriptor(); }
  // Returns null if the session's processes share no cache.
  model::SessionCache* open_session_cache() { return link_.open_session_cache(); }

  // Returns the engine's first own file descriptor at or above `from`; the highest number if there is none.
  [[nodiscard]] uint32_t first_own_descriptor(uint32_t from) const;

  // Returns true if the process's limit permits a descriptor of this number.
  [[nodiscard]] static bool is_within_limit(uint32_t descriptor);
  // Returns true if the process can open no more files, and could without the engine.
  [[nodiscard]] bool holds_last_descriptors() const;

  void write(RecordBuilder&& record);
  void write(const NoticeRecord& notice);

  void write_program_start(uint32_t pid);
  // Records the mappings of /proc/thread-self/maps in [start, end). One thread at a time.
  void write_mappings(uint32_t pid, uint64_t start, uint64_t end);

  template <typename Visit>
  void for_each_lock(Visit&& visit) {
    visit(lock_);
  }

 private:
  MemoryMap& maps_;
  ProcessLink<SessionFiles> link_;
  Lock lock_;  // protects the ring
};

}  // namespace hm::soft::direct
