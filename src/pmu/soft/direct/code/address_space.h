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

  // [start, end) is mapped anew, or no longer: it is memory that can be written through other mappings
  // (`shared`).
  void set_shared(uint64_t start, uint64_t end, bool shared);
  [[nodiscard]] bool is_shared(uint64_t address) const { return shared_.end_at(address) != 0; }

  // Whether copies of the page's code compare their source each time they run: it may change without a write
  // fault, or changes so often that faults would cost more.
  [[nodiscard]] bool is_checked(uint64_t page) const { return is_shared(page) || checked_.end_at(page) != 0; }
  void set_checked(uint64_t page);
  void forget_all();
  // More pieces of memory were to be known than there is room for.
  [[nodiscard]] bool is_incomplete() const {
    return executable_.lost_any() || writable_.lost_any() || watched_.lost_any() || checked_.lost_any() ||
           shared_.lost_any();
  }

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
  [[nodiscard]] bool watches_any() const { return !watched_.empty(); }

  // Where the memory ends that holds `address` and that the target may both write to and run; 0 if there is
  // none.
  [[nodiscard]] uint64_t writable_code_end(uint64_t address) const { return writable_.end_at(address); }

 private:
  Ranges executable_;
  Ranges writable_;  // and executable
  Ranges watched_;   // of these
  Ranges checked_;   // of these, those that change often
  Ranges shared_;    // executable or not
};

}  // namespace hm::soft::direct
