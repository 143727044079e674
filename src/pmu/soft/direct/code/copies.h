// SPDX-License-Identifier: MIT
// The copies of the target's code: made at first use, and dropped when the original code has changed.
#pragma once

#include <stdint.h>

#include "base/thread_safety.h"
#include "pmu/soft/direct/code/address_space.h"
#include "pmu/soft/direct/core/plan.h"
#include "pmu/soft/direct/runtime/lock.h"
#include "pmu/soft/direct/schedule/cores.h"
#include "pmu/soft/direct/session/ring_recording.h"
#include "pmu/soft/direct/translate/code_cache.h"
#include "pmu/soft/direct/translate/program_facts.h"
#include "pmu/soft/direct/translate/superblock.h"

namespace hm::soft::direct {

class Copies {
 public:
  constexpr Copies(AddressSpace& space, Cores& cores, Recording& recording, ProgramFacts& facts)
      : space_(space), cores_(cores), recording_(recording), facts_(facts) {}

  // Must be held to make or drop copies, or to change the data about the target's address space. Unless noted
  // otherwise, the functions below are called with this lock held, or before there are threads.
  Lock& lock() HM_RETURNS_LOCK(lock_) { return lock_; }
  template <typename Visit>
  void for_each_lock(Visit&& visit) {
    visit(lock_);
  }

  // Sets how code is copied from now on. `held` is not null while no thread is collected: loops of
  // uninstrumented copies leave once its value is 0. `in_functions`: threads are collected only inside
  // functions.
  void follow_plan(const Plan& plan, const uint32_t* held, bool in_functions) HM_REQUIRES(lock_);

  // Returns the copy of the code at `target` for this mode. Makes the copy if there is none.
  Block& block_at(uint64_t target, Mode mode) HM_REQUIRES(lock_);

  // Need no lock, as a signal handler may not take one: blocks are only added, and are complete before that
  // (StableArray).
  [[nodiscard]] bool is_copied_code(const uint8_t* code) const HM_UNCHECKED_LOCKS {
    return cache_.is_copied_code(code);
  }
  [[nodiscard]] const Block* block_of_code(const uint8_t* code) const HM_UNCHECKED_LOCKS {
    return cache_.block_of_code(code);
  }

  CodeCache& cache() HM_REQUIRES(lock_) { return cache_; }
  // Returns what copies of this mode measure.
  [[nodiscard]] const Demand& demand_of(Mode mode) const {
    return plans_[static_cast<unsigned>(mode)].demand;
  }

  // Called when [start, end) may hold other code from now on: after munmap, mprotect or mmap.
  void forget_code(uint64_t start, uint64_t end) HM_REQUIRES(lock_);
  // Drops the copies that begin at `source`, so that they are made again.
  void forget_block_at(uint64_t source) HM_REQUIRES(lock_);
  // Drops all copies, so that they are made again.
  void forget_all() HM_REQUIRES(lock_);
  // From now on, calls and returns preserve status flags too. Drops all copies if they do not.
  void keep_all_flags() HM_REQUIRES(lock_);

  // Called after the program has run natively, without watched pages. Drops copies of code that has changed
  // or is no longer executable.
  void drop_changed() HM_REQUIRES(lock_);
  // Drops all copies and reuses their memory if most copies have already been dropped. Called only while no
  // thread is inside the engine.
  void use_memory_again() HM_REQUIRES(lock_);
  // Called before a call after which the kernel refuses to change the protection of code. Stops watching all
  // pages for good: copies compare their source instead. Takes the lock.
  void fix_protection();
  // Stops watching all pages.
  void unwatch_all() HM_REQUIRES(lock_);

  // Called when the code at `source` differs from its copy. Drops the copies that begin there. Returns false
  // if this happens so often that the code should run natively.
  bool renew_block_at(uint64_t source) HM_REQUIRES(lock_);

  // Called before a system call that may write to `address`, at most `bytes` bytes. Stops watching the pages
  // of code there, because writes by the kernel to watched pages fail. Takes the lock.
  void expect_write(uint64_t address, uint64_t bytes);
  // As expect_write(), if the number of bytes is known. The write may begin before the code.
  void expect_write_of(uint64_t address, uint64_t bytes);
  // Called when a system call has failed with a bad address. Stops watching all pages. Returns true if there
  // were watched pages: the call can then be repeated. Takes the lock.
  bool give_up_watching();

  // Called when a write to `address` has faulted. Returns true if the cause was that the engine watches the
  // page: the page is now writable, and the write can be repeated. Takes the lock.
  bool resolve_write(uint64_t address);

 private:
  // Counts of writes to a page, or of changes of the code at an address, indexed by a hash. Addresses with
  // the same hash share a count, so each seems to change more often than it does.
  static constexpr unsigned kCounterBits = 14;

  bool watch(uint64_t start, uint64_t end) HM_REQUIRES(lock_);
  bool watch(const Superblock& source) HM_REQUIRES(lock_);
  template <typename Visit>
  void for_each_watched(uint64_t start, uint64_t end, Visit visit) HM_REQUIRES(lock_);
  bool unwatch(uint64_t page) HM_REQUIRES(lock_);
  void read_source(uint64_t target, Mode mode) HM_REQUIRES(lock_);
  void check_source() const HM_REQUIRES(lock_);
  void drop(uint64_t start, uint64_t end) HM_REQUIRES(lock_);
  void forget_indirect(const Block& block) HM_REQUIRES(lock_);

  AddressSpace& space_;
  Cores& cores_;
  Recording& recording_;
  ProgramFacts& facts_;
  Lock lock_;
  CodeCache cache_ HM_GUARDED_BY(lock_);
  Plan plans_[kModes] HM_GUARDED_BY(lock_) = {};
  bool is_protection_fixed_ HM_GUARDED_BY(lock_) = false;
  bool exact_flags_ HM_GUARDED_BY(lock_) =
      false;  // the program passes status flags through calls or returns, against the ABI
  Superblock source_ HM_GUARDED_BY(lock_) = {};  // the source of the block that is being made
  uint8_t writes_[1u << kCounterBits] HM_GUARDED_BY(lock_) = {};
  uint8_t renewals_[1u << kCounterBits] HM_GUARDED_BY(lock_) = {};
};

}  // namespace hm::soft::direct
