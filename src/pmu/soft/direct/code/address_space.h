// SPDX-License-Identifier: MIT
// Ranges of the target's memory that are executable: from /proc/thread-self/maps at the target's start, and
// from its own system calls since then.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/runtime/ranges.h"

namespace hm::soft::direct {

class AddressSpace {
 public:
  // Returns the end of the executable memory that holds `address`; 0 if there is none.
  [[nodiscard]] uint64_t executable_end(uint64_t address) const { return executable_.end_at(address); }

  // Returns the first range of executable memory in [start, end); an empty range if there is none.
  [[nodiscard]] Range first_executable(uint64_t start, uint64_t end) const {
    return executable_.first_in(start, end);
  }

  // Records the new protection of [start, end): whether it is executable, and whether it is also writable.
  void set_executable(uint64_t start, uint64_t end, bool executable, bool writable);

  // Records whether [start, end), which has been mapped or unmapped, is memory that can be written through
  // other mappings (`shared`).
  void set_shared(uint64_t start, uint64_t end, bool shared);
  [[nodiscard]] bool is_shared(uint64_t address) const { return shared_.end_at(address) != 0; }
  // Returns the end of the shared memory that holds `address`; 0 if there is none.
  [[nodiscard]] uint64_t shared_end(uint64_t address) const { return shared_.end_at(address); }

  // Returns true if copies of the page's code compare their source each time they run. The code may change
  // without a write fault, or changes so often that write faults would cost more.
  [[nodiscard]] bool is_checked(uint64_t page) const { return is_shared(page) || checked_.end_at(page) != 0; }
  void set_checked(uint64_t page);
  void forget_all();
  // Returns true if a range was lost because there were more ranges than fit.
  [[nodiscard]] bool is_incomplete() const {
    return executable_.lost_any() || writable_.lost_any() || watched_.lost_any() || checked_.lost_any() ||
           shared_.lost_any();
  }

  // is_writable_code() returns true if the target may both write to the page and run it, and the page is not
  // watched. is_watched() returns true if the engine write-protects the page to detect changes of code.
  [[nodiscard]] bool is_writable_code(uint64_t page) const {
    return writable_.end_at(page) != 0 && !is_watched(page);
  }
  [[nodiscard]] bool is_watched(uint64_t page) const { return watched_.end_at(page) != 0; }
  [[nodiscard]] Range first_watched(uint64_t start, uint64_t end) const {
    return watched_.first_in(start, end);
  }
  void set_watched(uint64_t page, bool watched);
  [[nodiscard]] bool watches_any() const { return !watched_.empty(); }

  // Returns the end of the memory that holds `address` and that the target may both write to and run; 0 if
  // there is none.
  [[nodiscard]] uint64_t writable_code_end(uint64_t address) const { return writable_.end_at(address); }

 private:
  Ranges executable_;
  Ranges writable_;  // both writable and executable
  Ranges watched_;   // subset of writable_
  Ranges checked_;   // subset of writable_: pages that change often
  Ranges shared_;    // executable or not
};

}  // namespace hm::soft::direct
