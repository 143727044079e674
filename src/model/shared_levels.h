// SPDX-License-Identifier: MIT
// Data shared by the cores of a process: the third level, and the directory of which core, and which other
// process, has which line. The third level may be shared by all processes of the session. Freestanding.
#pragma once

#include <stdint.h>

#include "base/thread_safety.h"
#include "model/cache.h"
#include "model/directory.h"
#include "model/geometry.h"
#include "model/lock_guard.h"
#include "model/miss_classes.h"
#include "model/outcome.h"
#include "model/processes.h"
#include "model/session_cache.h"
#include "model/shared_ranges.h"
#include "model/spin_lock.h"

namespace hm::model {

class SharedLevels {
 public:
  SharedLevels() = default;
  // For a machine of at most `max_cores` cores. Takes more memory as more lines are used; if misses are not
  // classified, only for lines that several cores may use. A machine with physical addresses reads them from
  // `frame_source`.
  SharedLevels(const MachineGeometry& geometry, uint32_t max_cores, MemorySource more, bool classifies_misses,
               Arena& arena, FrameSource frame_source = nullptr)
      : directory_(max_cores, more, arena),
        has_l3_(geometry.l3.present()),
        classifies_misses_(classifies_misses),
        physical_(geometry.physical) {
    if (physical_) frames_ = PageFrames(frame_source, log2_of(geometry.line_bytes), more, arena);
    if (!has_l3_) return;
    l3_ = Cache(geometry.l3, arena, lower_level_lines(geometry));
    l3_.index_by(frames_);
    set_locks_ = arena.take<SpinLock>(geometry.l3.sets);
    if (classifies_misses) l3_classes_ = LowerLevelClasses(geometry.l3, more, arena);
  }

  // Finds a line that a core's own levels lack. While there is only one core, it takes no locks: a locked
  // instruction waits for all the host's pending loads and stores, which costs a tenth of the time of random
  // access (expect_more_cores).
  // `holder`, of a session's cache, is the accessing thread; `late` holds its core's uses of the third level.
  [[gnu::noinline]] void look(uint64_t line, uint32_t holder, LateUses& late, LineOutcome& met) {
    met.level = Level::kMemory;
    if (!has_l3_) return;
    if (!enter_unlocked()) return look_among_others(line, holder, late, met);
    MissClass l3_class = classifies_misses_ ? l3_classes_.use(line) : MissClass::kNone;
    if (is_kept_alone(line, holder)) l3_class = MissClass::kOtherProgram;
    if (is_in_third_level(line, holder, met)) {
      met.level = Level::kL3;
    } else {
      met.l3_class = l3_class;
    }
    leave_unlocked();
  }

  // Like look(), for a use that is reported late, so that its outcome does not matter.
  [[gnu::noinline]] void add_use(uint64_t line, uint32_t holder, LateUses& late) {
    if (!has_l3_) return;
    LineOutcome met;
    if (session_cache_ != nullptr || has_common_memory() || !enter_unlocked())
      return look(line, holder, late, met);
    if (classifies_misses_) l3_classes_.add(line);
    depth_in_own_third_level(line);
    leave_unlocked();
  }

  // Makes all functions take locks from now on, so that a second core can be added, or the process be forked,
  // while another thread runs on the first core. Returns once that thread no longer uses the levels without
  // locks. Calls wait() at least once. wait() must take microseconds, longer than a store of the first core
  // stays invisible to others, because a fence in look() would cost as much as locks.
  template <typename Wait>
  void expect_more_cores(Wait&& wait) {
    if (is_locked()) return;
    __atomic_store_n(&is_locked_, true, __ATOMIC_SEQ_CST);
    do {
      wait();
    } while (__atomic_load_n(&is_used_unlocked_, __ATOMIC_SEQ_CST));
  }
  [[gnu::always_inline]] void prefetch(uint64_t line) {
    if (!has_l3_) return;
    l3_.prefetch(line);
    if (is_locked()) __builtin_prefetch(&set_locks_[l3_.set_at(line)], 1);
    if (!classifies_misses_) return;
    if (!enter_unlocked()) return unlocked_classes().prefetch_shared(line);
    l3_classes_.prefetch(line);
    leave_unlocked();
  }

  // See Machine; calls must not overlap.
  [[nodiscard]] bool has_grown() const { return unlocked_classes().has_grown() || directory_.has_grown(); }
  template <typename IsUsed>
  void forget_unused(IsUsed&& is_used) {
    directory_.forget_unused(is_used);
    if (!has_l3_ || !classifies_misses_) return;
    if (enter_unlocked()) {
      l3_classes_.forget_unused(is_used);
      return leave_unlocked();
    }
    LockGuard guard(lock_);
    l3_classes_.forget_unused(is_used);
  }

  [[nodiscard]] bool classifies_misses() const { return classifies_misses_; }
  // Only for a machine that uses physical addresses.
  [[nodiscard]] const PageFrames& frames() const { return frames_; }

  // Adds a core; returns its number. Calls must not overlap; if the first core is in use, call
  // expect_more_cores() before.
  uint32_t add(PrivateCaches& caches) {
    uint32_t number = directory_.add(caches);
    if (number != 0) __atomic_store_n(&is_locked_, true, __ATOMIC_SEQ_CST);
    return number;
  }

  // Gives this process the empty slot `process_slot` of `processes`; null: it shares no lines with other
  // processes. Called at the start and in a forked child.
  void attach(Processes* processes, uint32_t process_slot) {
    processes_ = processes;
    process_slot_ = process_slot;
    if (has_common_memory()) directory_.recheck_in_all();
  }
  // Replaces the third level by `cache`, in which the process has the address space `space`; null: it has its
  // own third level. Called at the start and in a forked child, which uses each line for the first time.
  void attach(SessionCache* cache, uint64_t space) {
    session_cache_ = has_l3_ ? cache : nullptr;
    space_ = space;
    if (session_cache_ == nullptr || !classifies_misses_) return;
    l3_.clear();
    LockGuard guard(lock_);
    l3_classes_.forget_unused([](uint64_t /*first*/, uint64_t /*count*/) { return false; });
  }
  void detach() {
    if (processes_ != nullptr) processes_->slot(process_slot_).release();
    processes_ = nullptr;
  }
  [[nodiscard]] Processes* processes() { return processes_; }

  // map_common: lines [first, end) of this process become the common lines from `common` on; returns false if
  // there are too many ranges. unmap_common: no other process can have these lines any longer.
  bool map_common(uint64_t first, uint64_t end, uint64_t common) {
    forget_common(first, end);
    bool fits = ranges_.add(first, end, common);
    directory_.recheck_in_all();  // cores may hold lines of the previous mapping
    return fits;
  }
  void unmap_common(uint64_t first, uint64_t end) {
    if (ranges_.empty() || processes_ == nullptr) return;
    forget_common(first, end);
    ranges_.remove(first, end);
  }

  [[nodiscard]] bool is_common(uint64_t line) const { return common_line(line) != SharedRanges::kPrivate; }

  // Returns the name of `line` in the caches. If the process maps memory at several addresses, all of them
  // have the same name, because the tags of real caches are physical addresses.
  [[nodiscard]] uint64_t cached_as(uint64_t line) const {
    if (processes_ == nullptr || !ranges_.may_have_aliases()) [[likely]]
      return line;
    return ranges_.representative(line);
  }

  // Returns the end of the range of common memory that contains the line; the line itself if there is none.
  [[nodiscard]] uint64_t end_of_common(uint64_t line) const { return ranges_.end_of(line); }

  // Whether a core has to consult the directory before it uses a line.
  [[nodiscard]] bool has_others() const { return directory_.has_many_cores() || has_common_memory(); }
  [[nodiscard]] bool has_common_memory() const { return !ranges_.empty(); }

  // Requests the line for the core, which has called PrivateCaches::begin_request. Returns the state in other
  // cores.
  Answer use(uint32_t core, uint64_t line, Demand demand) {
    Answer answer;
    if (directory_.has_many_cores()) answer = directory_.use(core, line, demand);
    uint64_t common = common_line(line);
    if (common == SharedRanges::kPrivate) return answer;
    if (demand.fetches) processes_->slot(process_slot_).bring_in(common);
    demand.fetches = demand.fetches && answer.snoop == Snoop::kNone;
    return both(answer, processes_->use(process_slot_, common, demand));
  }
  // Whether the core may keep a line that it has.
  [[nodiscard]] bool is_holder(uint32_t core, uint64_t line) {
    uint64_t common = common_line(line);
    bool is_common = common != SharedRanges::kPrivate;
    if (directory_.has_many_cores() && !directory_.is_holder(core, line, is_common)) return false;
    return !is_common || processes_->is_holder(process_slot_, common);
  }
  // `core` executes a flush instruction: the line leaves the third level, and all other cores and processes.
  void flush(uint32_t core, uint64_t line) {
    if (directory_.has_many_cores()) directory_.flush(core, line);
    uint64_t common = common_line(line);
    bool is_private = common == SharedRanges::kPrivate;
    if (!is_private)
      processes_->flush(process_slot_, common, physical_ ? frames_.physical_line(line) : common);
    if (session_cache_ != nullptr) remove_from_session_cache(line, common);
    forget_in_own_third_level(line);
  }
  // A core no longer has the line.
  void drop(uint64_t line) {
    uint64_t common = common_line(line);
    if (common != SharedRanges::kPrivate) processes_->slot(process_slot_).drop(common);
  }

  // Whether other processes have queued invalidations for this process, which it must forward to its cores.
  [[nodiscard]] bool has_invalidations() const {
    return processes_ != nullptr && processes_->slot(process_slot_).has_invalidations();
  }
  [[gnu::noinline]] void forward_invalidations() {
    processes_->slot(process_slot_)
        .drain_invalidations(
            [&](uint64_t common, LineChange change) {
              ranges_.for_each_line(common, [&](uint64_t line) { change_in_all(line, change); });
            },
            [&] { directory_.recheck_in_all(); });
  }

  // Lines [first, end) of this process have been unmapped or replaced.
  void forget_frames(uint64_t first, uint64_t end) const {
    if (physical_) frames_.forget_lines(first, end);
  }

  // The process has been forked.
  void doubt_frames() const {
    if (physical_) frames_.doubt_all();
  }

  // Calls visit(lock) for each lock, in locking order. While nothing is locked (look()), it skips the locks
  // of the sets, so that programs that fork often do not wait for all of them.
  template <typename Visit>
  void for_each_lock(Visit&& visit) {
    directory_.for_each_lock(visit);
    if (set_locks_ == nullptr || !is_locked()) return;
    for (uint32_t set = 0; set < l3_.sets(); ++set) visit(set_locks_[set]);
    visit(lock_);
  }
  // In a forked child: no core requests a line.
  void end_requests() { directory_.end_requests(); }

 private:
  [[nodiscard]] bool is_locked() const { return __atomic_load_n(&is_locked_, __ATOMIC_RELAXED); }

  // Returns false if other cores may use the levels, too, so that locks are required. Otherwise the core has
  // what the locks protect for itself, and expect_more_cores() waits for leave_unlocked().
  [[nodiscard]] [[gnu::always_inline]] bool enter_unlocked()
      HM_TRIES_TO_ACQUIRE(true, lock_) HM_UNCHECKED_LOCKS {
    if (is_locked()) return false;
    __atomic_store_n(&is_used_unlocked_, true, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (!is_locked()) [[likely]]
      return true;
    leave_unlocked();
    return false;
  }
  [[gnu::always_inline]] void leave_unlocked() HM_RELEASES(lock_) HM_UNCHECKED_LOCKS {
    __atomic_store_n(&is_used_unlocked_, false, __ATOMIC_RELEASE);
  }

  // For reads that another core's changes do not disturb.
  [[nodiscard]] const LowerLevelClasses& unlocked_classes() const HM_UNCHECKED_LOCKS { return l3_classes_; }

  // Another process has changed a common line.
  void change_in_all(uint64_t line, LineChange change) {
    switch (change) {
      case LineChange::kDowngraded:
        return directory_.downgrade_in_all(line);
      case LineChange::kInvalidated:
        return directory_.invalidate_in_all(line);
      case LineChange::kFlushed:
        directory_.flush_in_all(line);
        return forget_in_own_third_level(line);
    }
  }

  // The process no longer has the common lines that [first, end) were mapped to.
  void forget_common(uint64_t first, uint64_t end) {
    if (processes_ == nullptr) return;
    ranges_.for_each_piece(
        first, end, [&](uint64_t from, uint64_t to) { processes_->slot(process_slot_).forget(from, to); });
  }

  [[nodiscard]] uint64_t common_line(uint64_t line) const {
    return processes_ == nullptr ? SharedRanges::kPrivate : ranges_.common(line);
  }

  // Merges the answers for a line that both a core of this process and another process may have.
  static Answer both(const Answer& own, const Answer& other) {
    bool only_other = own.snoop == Snoop::kNone;
    Answer answer = only_other ? other : own;
    if (answer.sharing == MissClass::kNone) answer.sharing = (only_other ? own : other).sharing;
    answer.lost_from_first = own.lost_from_first || other.lost_from_first;
    answer.waited = own.waited || other.waited;
    answer.may_write = own.may_write && other.may_write;
    return answer;
  }

  // Common lines are in a third level that all processes share.
  [[gnu::always_inline]] bool is_in_third_level(uint64_t line, uint32_t holder, LineOutcome& met) {
    uint64_t common = has_common_memory() ? common_line(line) : SharedRanges::kPrivate;
    if (session_cache_ != nullptr) [[unlikely]]
      return is_in_session_cache(line, common, holder);
    if (common == SharedRanges::kPrivate) return is_in_own_third_level(line, met);
    return processes_->look_in_third_level(common, physical_ ? frames_.physical_line(line) : common);
  }

  bool is_in_session_cache(uint64_t line, uint64_t common, uint32_t holder) {
    bool is_private = common == SharedRanges::kPrivate;
    uint64_t space = is_private ? space_ : SessionCache::kCommonSpace, number = is_private ? line : common;
    return physical_ ? session_cache_->access_at(frames_.physical_line(line), space, number, holder)
                     : session_cache_->access(space, number, holder);
  }
  void remove_from_session_cache(uint64_t line, uint64_t common) {
    bool is_private = common == SharedRanges::kPrivate;
    uint64_t space = is_private ? space_ : SessionCache::kCommonSpace, number = is_private ? line : common;
    physical_ ? session_cache_->remove_at(frames_.physical_line(line), space, number)
              : session_cache_->remove(space, number);
  }

  // Whether a third level used by this process alone would have the line, in as many ways as the holder may
  // allocate into. Used only with a session's cache: the process's own level is otherwise unused then, and
  // serves as that third level. A miss in the session's cache is then caused by lines of another process.
  bool is_kept_alone(uint64_t line, uint32_t holder) {
    if (session_cache_ == nullptr || !classifies_misses_) [[likely]]
      return false;
    return depth_in_own_third_level(line) < session_cache_->ways_of(holder);
  }

  // Makes the line the most recent of its set. Returns its depth before: Cache::depth_at.
  [[gnu::always_inline]] uint32_t depth_in_own_third_level(uint64_t line) {
    uint64_t index = physical_ ? frames_.physical_line(line) : line;
    if (!is_locked()) [[likely]]
      return l3_.depth_at(index, line);
    LockGuard guard(set_locks_[l3_.set_at(index)]);
    return l3_.depth_at(index, line);
  }

  // A flush instruction has removed the line: its next miss counts as its first use.
  void forget_in_own_third_level(uint64_t line) {
    if (!has_l3_) return;
    uint64_t index = physical_ ? frames_.physical_line(line) : line;
    if (enter_unlocked()) {
      l3_.remove_at(index, line);
      if (classifies_misses_) l3_classes_.forget(line);
      return leave_unlocked();
    }
    {
      LockGuard guard(set_locks_[l3_.set_at(index)]);
      l3_.remove_at(index, line);
    }
    if (!classifies_misses_) return;
    LockGuard guard(lock_);
    l3_classes_.forget(line);
  }

  bool is_in_own_third_level(uint64_t line, LineOutcome& met) {
    return is_present(depth_in_own_third_level(line), met);
  }
  bool is_present(uint32_t depth, LineOutcome& met) const {
    bool present = depth != l3_.ways();
    uint32_t quarter = 4 * depth / l3_.ways();
    met.l3_quarter = present ? static_cast<uint8_t>(quarter) : uint8_t{0};
    return present;
  }

  // The uses of all cores have one order. A lock around each use would make every core wait for the others.
  // So a core adds its own uses in batches; the classes of other cores' misses are wrong by that few lines.
  void look_among_others(uint64_t line, uint32_t holder, LateUses& late, LineOutcome& met) {
    bool kept_alone = is_kept_alone(line, holder);
    if (is_in_third_level(line, holder, met)) {
      met.level = Level::kL3;
    } else if (kept_alone) {
      met.l3_class = MissClass::kOtherProgram;
    } else if (classifies_misses_) {
      met.l3_class = late.contains(line) ? MissClass::kConflict : unlocked_classes().class_of(line);
    }
    if (!classifies_misses_) return;
    if (late.full()) {
      LockGuard guard(lock_);
      late.take_all([&](uint64_t each) HM_UNCHECKED_LOCKS { l3_classes_.use(each); });
    }
    late.add(line);  // not earlier: a fork may occur while others wait for the lock
  }

  Directory directory_;
  Processes* processes_ = nullptr;
  uint32_t process_slot_ = 0;
  SessionCache* session_cache_ = nullptr;
  uint64_t space_ = 0;  // address space in that cache
  SharedRanges ranges_;
  bool has_l3_ = false;
  bool classifies_misses_ = false;
  bool physical_ = false;
  bool is_locked_ = false;         // whether all data that cores share is locked
  bool is_used_unlocked_ = false;  // by the first core, at present
  PageFrames frames_;
  Cache l3_;
  SpinLock* set_locks_ = nullptr;  // one per set; null if there is no third level
  alignas(64) SpinLock lock_;
  LowerLevelClasses l3_classes_ HM_GUARDED_BY(lock_);
};

}  // namespace hm::model
