// SPDX-License-Identifier: MIT
// Common memory, which other processes may have mapped too. Connects this process's models with those of the
// other processes (model/processes.h), and reports to them when pages change their frames.
#pragma once

#include <stdint.h>

#include "model/processes.h"
#include "model/shared_levels.h"
#include "pmu/soft/direct/code/copies.h"
#include "pmu/soft/direct/core/plan.h"
#include "pmu/soft/direct/runtime/memory_map.h"
#include "pmu/soft/direct/schedule/cores.h"
#include "pmu/soft/direct/session/ring_recording.h"
#include "pmu/soft/sampling/session_cache_user.h"

namespace hm::soft::direct {

struct SessionModels;

class CommonModels {
 public:
  constexpr CommonModels(const Plan& plan, MemoryMap& maps, Recording& recording, SessionCacheUser& cache,
                         Cores& cores, Copies& copies)
      : plan_(plan), maps_(maps), recording_(recording), cache_(cache), cores_(cores), copies_(copies) {}

  // Called when the pages [start, end) have new frames from now on, or none (model/page_frames.h).
  void note_new_frames(uint64_t start, uint64_t end);

  // Takes a process slot, at the process's start and in a forked child. If there is none, the process's lines
  // are shared with no other process. If the session has a last-level cache for all processes, this process
  // uses it, too.
  void join_session(uint32_t pid);
  // Releases the slot at the process's end.
  void leave_session();

  // Forgets the common memory, which may change before the process comes back to the session.
  void forget_mappings();

  // Passes the process slot to `levels`, the levels shared by the cores, which have just been built.
  void attach(model::SharedLevels& levels);

  // The next three functions are called with the lock of copies held. note_common() records the mappings that
  // overlap [start, end) as common memory if they are so in /proc/thread-self/maps.
  void note_common(uint64_t start, uint64_t end);
  // Records that [start, end) is no longer common memory.
  void note_not_common(uint64_t start, uint64_t end);
  // The mapping of common memory that begins at `start` has been removed.
  void note_detached(uint64_t start);
  bool is_common(uint64_t address);
  bool has_common_memory();

 private:
  SessionModels* map_session_models();
  void count_as_unshared();
  void note_mapping(const MappedRange& range);
  void map_common(const MappedRange& range);

  const Plan& plan_;
  MemoryMap& maps_;
  Recording& recording_;
  SessionCacheUser& cache_;
  Cores& cores_;
  Copies& copies_;
  SessionModels* common_ = nullptr;  // null: this process shares no lines with others
  uint32_t slot_ = model::Processes::kNoSlot;
  bool is_counted_ = false;
  bool has_more_ = false;  // the process has common memory that is not in the models, for lack of a slot
};

}  // namespace hm::soft::direct
