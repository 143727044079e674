// SPDX-License-Identifier: MIT
// Measures in bursts (Session::bursts): now and then a core runs collecting copies for a while, between
// bursts touching copies. When a burst begins, the models are given the lines that were touched since the
// last one, in their order, so that caches and TLBs hold what they would hold had they seen every access:
// where replacement is LRU, that depends on the order of the last uses alone.
//
// Bursts begin at irregular moments, so that a program that does the same again and again is not met at the
// same place. The moments are counted in slots (sampling/modelled_core.h): the same program has the same
// ones.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/burst/touched_lines.h"
#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/plan.h"
#include "pmu/soft/direct/runtime/lock.h"
#include "pmu/soft/direct/schedule/code_pages.h"
#include "pmu/soft/direct/schedule/threads.h"
#include "pmu/soft/direct/session/recording.h"

namespace hm::soft::direct {

class Bursts {
 public:
  constexpr Bursts(const Plan& plan, Recording& recording, Threads& threads, Cores& cores,
                   CodePageTable& code_pages)
      : plan_(plan),
        recording_(recording),
        threads_(threads),
        cores_(cores),
        tables_(plan, cores, code_pages) {}

  // Before the first burst. False if there is no memory.
  bool prepare() { return tables_.prepare(); }

  // Called before the core's thread continues: begins or ends a burst if it is time.
  void follow(Core& core);

  // Likewise in the middle of an instruction that makes many accesses, which are modelled afterwards.
  void follow_within(Core& core);

  // The program's mappings are no longer what they were.
  void doubt_mappings() { tables_.doubt_mappings(); }
  // [start, end) is no longer mapped.
  void note_unmapped(uint64_t start, uint64_t end);

  // The program has run natively; no thread has a core. What its caches hold is only known again once it has
  // touched as much, so there are no bursts at the beginning.
  void begin_episode();

  template <typename Visit>
  void for_each_lock(Visit&& visit) {
    visit(lock_);
  }
  // In a forked child, whose bursts are at times of its own. `core`: of the thread that forked.
  void begin_child(Core& core);

 private:
  void change(Core& core);
  bool takes_exact_slots();
  void begin_core(Core& core);
  void begin(Core& core);
  void end(Core& core);
  void replay(Core& core);
  uint64_t random();
  uint64_t first_gap_ticks();
  uint64_t next_gap_ticks();

  const Plan& plan_;
  Recording& recording_;
  Threads& threads_;
  Cores& cores_;
  Lock lock_;
  TouchTables tables_;
  uint64_t random_ = 0;  // not seeded yet
};

}  // namespace hm::soft::direct
