// SPDX-License-Identifier: MIT
// The presence words of code lines (sampling/code_pages.h). Each core has its own, at the same offset from
// the core.
#pragma once

#include <stdint.h>

#include "base/thread_safety.h"
#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/plan.h"
#include "pmu/soft/direct/runtime/lock.h"
#include "pmu/soft/sampling/code_pages.h"

namespace hm::soft::direct {

// Position of a core's presence words, relative to the core's address.
struct CodePageSpace {
  uint64_t offset;
  uint64_t bytes;
};

class CodePageTable {
 public:
  explicit constexpr CodePageTable(const Plan& plan) : plan_(plan) {}

  // Gives a new core presence words for the same pages that the other cores have. Returns false if there is
  // no memory.
  bool add_core(Core* core, CodePageSpace space);

  // Returns the offset, from a core, of the presence words of the page that holds `address`. Creates them if
  // the page is new. Returns 0 if there is no room: fetches from the page are then not modelled. One thread
  // at a time.
  uint32_t offset_of(uint64_t address);

  // Marks all lines of the core's pages as not present. For a forked child, in which only one thread exists.
  void clear(Core& core);

  template <typename Visit>
  void for_each_lock(Visit&& visit) {
    visit(lock_);
  }

  // Calls visit(page) for each of the core's pages.
  template <typename Visit>
  void for_each(Core& core, Visit&& visit) {
    uint64_t end = __atomic_load_n(&end_, __ATOMIC_ACQUIRE);
    for (uint64_t offset = space_.offset; offset < end; offset += page_bytes())
      visit(code_page_at(core, offset));
  }

 private:
  static constexpr uint32_t kMaxCores = 64;

  [[nodiscard]] uint64_t page_bytes() const;

  const Plan& plan_;
  CodePages* pages_ HM_GUARDED_BY(lock_) = nullptr;  // the first core's pages
  CodePageSpace space_{};
  Core* cores_[kMaxCores] HM_GUARDED_BY(lock_) = {};
  uint32_t count_ HM_GUARDED_BY(lock_) = 0;
  uint64_t end_ HM_GUARDED_BY(lock_) = 0;  // offset of the end of the existing pages
  Lock lock_;
};

}  // namespace hm::soft::direct
