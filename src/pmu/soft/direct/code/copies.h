// SPDX-License-Identifier: MIT
// The copies of the target's code: made when they are first needed, dropped when their code has changed.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/code/address_space.h"
#include "pmu/soft/direct/core/plan.h"
#include "pmu/soft/direct/runtime/lock.h"
#include "pmu/soft/direct/schedule/cores.h"
#include "pmu/soft/direct/session/recording.h"
#include "pmu/soft/direct/translate/code_cache.h"
#include "pmu/soft/direct/translate/program_facts.h"
#include "pmu/soft/direct/translate/superblock.h"

namespace hm::soft::direct {

class Copies {
 public:
  constexpr Copies(AddressSpace& space, Cores& cores, Recording& recording, ProgramFacts& facts)
      : space_(space), cores_(cores), recording_(recording), facts_(facts) {}

  // Held by whoever makes or drops copies, or changes what is known of the target's address space. All that
  // follows is called with it held, or before there are threads, unless it says otherwise.
  Lock& lock() { return lock_; }
  template <typename Visit>
  void for_each_lock(Visit&& visit) {
    visit(lock_);
  }

  // `plan`: how code is copied from now on. `held`: not null while no thread is collected: loops of
  // uninstrumented copies leave once it is 0. `in_functions`: threads are collected only inside functions.
  void follow_plan(const Plan& plan, const uint32_t* held, bool in_functions);

  // The copy, for this mode, of the code at `target`; made if there is none.
  Block& block_at(uint64_t target, Mode mode);

  CodeCache& cache() { return cache_; }

  // [start, end) may hold other code from now on: after munmap, mprotect, mmap.
  void forget_code(uint64_t start, uint64_t end);
  // The copies that begin at `source` are to be made anew.
  void forget_block_at(uint64_t source);
  // All copies are to be made anew.
  void forget_all();
  // All copies are to be made anew, if need be, so that calls and returns keep status flags too.
  void keep_all_flags();

  // The program has run natively, unwatched: copies of code that is another now, or no longer executable, are
  // dropped.
  void drop_changed();
  // Where most copies have been dropped all are made anew, in their memory; only while no thread is inside.
  void use_memory_again();
  // No page is watched any more.
  void unwatch_all();

  // The code at `source` is not what was copied from it: the copies that begin there are to be made anew.
  // False if that happens so often that the code should run natively.
  bool renew_block_at(uint64_t source);

  // A system call is about to write where `address` points, which may be code: writes by the kernel fail
  // where the engine watches a page. `bytes`: how many at most. Takes the lock.
  void expect_write(uint64_t address, uint64_t bytes);
  // A system call has failed for an address. True if pages were watched: none is now, and the call can be
  // repeated. Takes the lock.
  bool give_up_watching();

  // A write to `address` has faulted. True where that was because the engine watches the page: it is writable
  // now, and the write can be repeated. Takes the lock.
  bool resolve_write(uint64_t address);

 private:
  // How often a page is written to, or the code at an address changes, by a hash: where two have the same, it
  // is taken to change more often than it does.
  static constexpr unsigned kCounterBits = 14;

  bool watch(uint64_t start, uint64_t end);
  bool watch(const Superblock& source);
  template <typename Visit>
  void for_each_watched(uint64_t start, uint64_t end, Visit visit);
  void unwatch(uint64_t page);
  void read_source(uint64_t target, Mode mode);
  void drop(uint64_t start, uint64_t end);
  void forget_indirect(const Block& block);

  AddressSpace& space_;
  Cores& cores_;
  Recording& recording_;
  ProgramFacts& facts_;
  Lock lock_;
  CodeCache cache_;
  Plan plans_[kModes] = {};
  bool exact_flags_ = false;  // the program passes status flags where the ABI does not
  Superblock source_ = {};    // of the block that is being made
  uint8_t writes_[1u << kCounterBits] = {};
  uint8_t renewals_[1u << kCounterBits] = {};
};

}  // namespace hm::soft::direct
