// SPDX-License-Identifier: MIT
// Measures in bursts (Session::bursts): at intervals a core runs collecting copies for a while; between
// bursts it runs touching copies. At the start of a burst, the models receive the lines touched since the
// last burst, in the order of their last use. Caches and TLBs then hold what they would hold if they had seen
// every access: under LRU replacement, that depends on the order of last uses alone.
//
// The sample of bursts is stratified (Cochran, chapter 5): each stratum, as long as a mean gap and a burst,
// has one burst, at a random place. So each phase of a program has bursts in proportion to its length, and a
// program with a periodic pattern is not met at the same point of it each time. The times are counted in
// slots (sampling/modelled_core.h), so the same program has the same bursts in each run.
#pragma once

#include <stdint.h>

#include "base/thread_safety.h"
#include "pmu/soft/direct/burst/touched_lines.h"
#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/plan.h"
#include "pmu/soft/direct/runtime/lock.h"
#include "pmu/soft/direct/schedule/code_pages.h"
#include "pmu/soft/direct/schedule/threads.h"
#include "pmu/soft/direct/session/ring_recording.h"

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

  // Called before the first burst. Returns false if there is no memory.
  bool prepare() { return tables_.prepare(); }

  // Called before the core's thread continues: begins or ends a burst if it is time.
  void follow(Core& core);

  // As follow(), but within an instruction that makes many accesses, which are modelled after it has run.
  void follow_within(Core& core);

  // Called when the program's mappings have changed.
  void doubt_mappings() { tables_.doubt_mappings(); }
  // Called when [start, end) has been unmapped.
  void note_unmapped(uint64_t start, uint64_t end);

  // Called after the program has run natively, while no thread has a core. The contents of its caches are
  // known only after it has touched enough lines, so the episode does not start with a burst.
  void begin_episode();

  template <typename Visit>
  void for_each_lock(Visit&& visit) {
    visit(lock_);
  }
  // For a forked child, which has bursts at times of its own. `core` is the core of the thread that forked.
  void begin_child(Core& core);

 private:
  void change(Core& core);
  bool takes_exact_slots();
  void begin_core(Core& core);
  void begin(Core& core);
  void end(Core& core);
  uint32_t replay(Core& core) HM_REQUIRES(lock_);
  uint64_t random() HM_REQUIRES(lock_);
  uint64_t mean_gap_ticks(Core& core) HM_REQUIRES(lock_);
  void begin_stratum(Core& core, uint64_t begin) HM_REQUIRES(lock_);

  const Plan& plan_;
  Recording& recording_;
  Threads& threads_;
  Cores& cores_;
  Lock lock_;
  TouchTables tables_;
  uint64_t random_ HM_GUARDED_BY(lock_) = 0;  // not seeded yet
};

}  // namespace hm::soft::direct
