// SPDX-License-Identifier: MIT
// Common memory, which other processes may have mapped too: connects this process's models with those of the
// others (model/processes.h), and says where frames have changed.
#pragma once

#include <stdint.h>

#include "model/processes.h"
#include "model/shared_levels.h"
#include "pmu/soft/direct/code/copies.h"
#include "pmu/soft/direct/core/plan.h"
#include "pmu/soft/direct/runtime/memory_map.h"
#include "pmu/soft/direct/schedule/cores.h"
#include "pmu/soft/direct/session/recording.h"
#include "pmu/soft/sampling/session_cache_user.h"

namespace hm::soft::direct {

struct SessionModels;

class CommonModels {
 public:
  constexpr CommonModels(const Plan& plan, MemoryMap& maps, Recording& recording, SessionCacheUser& cache,
                         Cores& cores, Copies& copies)
      : plan_(plan), maps_(maps), recording_(recording), cache_(cache), cores_(cores), copies_(copies) {}

  // Pages [start, end) lie in other frames from now on, or nowhere (model/page_frames.h).
  void note_new_frames(uint64_t start, uint64_t end);

  // Takes a process slot: at the process's start, and in a forked child. Where there is none, its lines are
  // shared with no other process. Where the session has a last level for all, it is the process's, too.
  void join_session(uint32_t pid);
  // Releases the slot, at the process's end.
  void leave_session();

  // What is common memory now may not be when the process comes back to the session.
  void forget_mappings();

  // `levels`, which the cores share, have just been built: gives them the slot.
  void attach(model::SharedLevels& levels);

  // The next three are called with the lock of copies held. note_common: mappings that overlap [start, end)
  // are common memory if /proc/self/maps says so.
  void note_common(uint64_t start, uint64_t end);
  // [start, end) is no longer common memory.
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
  bool has_more_ = false;  // it has common memory that is not in the models, for want of a slot
};

}  // namespace hm::soft::direct
