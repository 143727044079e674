// SPDX-License-Identifier: MIT
// The presence words of code lines (sampling/code_pages.h). Each core has its own, at the same offset from
// the core.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"
#include "pmu/soft/direct/core/plan.h"
#include "pmu/soft/direct/runtime/lock.h"
#include "pmu/soft/sampling/code_pages.h"

namespace hm::soft::direct {

// Where, from a core's address, its presence words are.
struct CodePageSpace {
  uint64_t offset;
  uint64_t bytes;
};

class CodePageTable {
 public:
  explicit constexpr CodePageTable(const Plan& plan) : plan_(plan) {}

  // Gives a new core presence words for the same pages as the others have. False where there is no memory.
  bool add_core(Core* core, CodePageSpace space);

  // The offset, from a core, of the presence words of the page that holds `address`. They are made if the
  // page is new; 0 where there is no room for more: fetches from it are not modelled. One thread at a time.
  uint32_t offset_of(uint64_t address);

  // No line of the core's pages is present. In a forked child, where only one thread exists.
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
  static constexpr uint32_t kMostCores = 64;

  [[nodiscard]] uint64_t page_bytes() const;

  const Plan& plan_;
  CodePages* pages_ = nullptr;  // of the first core
  CodePageSpace space_{};
  Core* cores_[kMostCores] = {};
  uint32_t count_ = 0;
  uint64_t end_ = 0;  // of the pages that there are
  Lock lock_;
};

}  // namespace hm::soft::direct
