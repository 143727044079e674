// SPDX-License-Identifier: MIT
// A process's use of the last-level cache that its session shares, if the session has one. Freestanding.
#pragma once

#include <stdint.h>

#include "model/session_cache.h"
#include "model/shared_levels.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft {

class SessionCacheUser {
 public:
  // `cache` is null if the session has no shared cache.
  void open(model::SessionCache* cache) { cache_ = cache; }

  // Called when the process begins or is a forked child: gives its lines an address space of their own.
  void begin_process() {
    if (cache_ != nullptr) space_ = cache_->new_space();
  }
  void attach(model::SharedLevels& levels) const { levels.attach(cache_, space_); }

  // Returns the number under which the thread's lines are counted. A forked child's first thread joins its
  // parent's group, and further threads join the first thread's group.
  uint32_t begin_thread(uint32_t pid, uint32_t tid) {
    if (cache_ == nullptr) return model::SessionCache::kOthers;
    auto parent = static_cast<uint32_t>(system_call(kSysGetppid));
    uint32_t number = cache_->take_holder(pid, tid, parent, latest_);
    if (number != model::SessionCache::kOthers) latest_ = {number, pid};
    return number;
  }
  void end_thread(uint32_t number) const {
    if (cache_ != nullptr) cache_->end_holder(number);
  }

 private:
  model::SessionCache* cache_ = nullptr;
  uint64_t space_ = 0;
  model::HolderOf latest_;  // after a vfork: the child's
};

}  // namespace hm::soft
