// SPDX-License-Identifier: MIT
// Which of the target's memory is executable: from /proc/self/maps at its start, and from its own system
// calls since then.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/runtime/ranges.h"

namespace hm::soft::direct {

class AddressSpace {
 public:
  // The end of the executable memory that holds `address`; 0 where there is none.
  [[nodiscard]] uint64_t executable_end(uint64_t address) const { return executable_.end_at(address); }

  // The first piece of executable memory in [start, end); an empty one where there is none.
  [[nodiscard]] Range first_executable(uint64_t start, uint64_t end) const {
    return executable_.first_in(start, end);
  }

  // [start, end) has a new protection: `executable`, and `writable` too.
  void set_executable(uint64_t start, uint64_t end, bool executable, bool writable);
  void forget_all();

  // Of a page: whether the target may both write to it and run it; whether the engine write-protects it, to
  // notice changes of code.
  [[nodiscard]] bool is_writable_code(uint64_t page) const {
    return writable_.end_at(page) != 0 && !is_watched(page);
  }
  [[nodiscard]] bool is_watched(uint64_t page) const { return watched_.end_at(page) != 0; }
  [[nodiscard]] Range first_watched(uint64_t start, uint64_t end) const {
    return watched_.first_in(start, end);
  }
  void set_watched(uint64_t page, bool watched);

 private:
  Ranges executable_;
  Ranges writable_;  // and executable
  Ranges watched_;   // of these
};

}  // namespace hm::soft::direct
