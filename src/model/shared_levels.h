// SPDX-License-Identifier: MIT
// What the cores of a machine share: the third level, and who has which line. Freestanding.
#pragma once

#include <stdint.h>

#include "model/cache.h"
#include "model/directory.h"
#include "model/geometry.h"
#include "model/holding.h"
#include "model/miss_classes.h"
#include "model/outcome.h"
#include "model/spin_lock.h"

namespace hm::model {

class SharedLevels {
 public:
  SharedLevels() = default;
  // Of a machine of at most `most_cores`. Memory grows with the lines that are used; without classes, only
  // with those that several cores may use.
  SharedLevels(const MachineGeometry& geometry, uint32_t most_cores, MemorySource more, bool tells_classes,
               Arena& arena)
      : directory_(most_cores, more, arena), has_l3_(geometry.l3.present()), tells_classes_(tells_classes) {
    if (!has_l3_) return;
    l3_ = Cache(geometry.l3, arena);
    if (tells_classes) l3_classes_ = LowerLevelClasses(geometry.l3, more, arena);
  }

  // Where a line is found that a core's own levels do not have. While there is one core nothing is locked: a
  // lock waits for all that the host has under way, a tenth of the time of random access. So the first one
  // must not be in here when the second one comes.
  [[gnu::noinline]] void look(uint64_t line, LineOutcome& met) {
    met.level = Level::kMemory;
    if (!has_l3_) return;
    if (!directory_.has_many_cores()) return look_alone(line, met);
    Holding guard(lock_);
    look_alone(line, met);
  }
  void prefetch(uint64_t line) const {
    if (!has_l3_) return;
    l3_.prefetch(line);
    if (tells_classes_) l3_classes_.prefetch(line);
  }

  [[nodiscard]] bool tells_classes() const { return tells_classes_; }
  [[nodiscard]] Directory& directory() { return directory_; }

  // Around fork(2): hold, then in the parent let_go, in the child reset_locks.
  void hold() {
    directory_.hold();
    lock_.lock();
  }
  void let_go() {
    lock_.unlock();
    directory_.let_go();
  }
  void reset_locks() {
    lock_.reset();
    directory_.reset_locks();
  }

 private:
  [[gnu::always_inline]] void look_alone(uint64_t line, LineOutcome& met) {
    MissClass l3_class = tells_classes_ ? l3_classes_.use(line) : MissClass::kNone;
    if (l3_.access(line)) {
      met.level = Level::kL3;
    } else {
      met.l3_class = l3_class;
    }
  }

  Directory directory_;
  bool has_l3_ = false;
  bool tells_classes_ = false;
  SpinLock lock_;  // of what follows
  Cache l3_;
  LowerLevelClasses l3_classes_;
};

}  // namespace hm::model
