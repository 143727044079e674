// SPDX-License-Identifier: MIT
// Data shared by the processes of a session: a slot for each process, a directory of which process has which
// line of their common memory, and a third level for these lines. Freestanding.
//
// It is in initially zeroed memory that all processes have mapped at the same address.
#pragma once

#include <stdint.h>

#include "base/thread_safety.h"
#include "model/directory.h"
#include "model/process_caches.h"

namespace hm::model {

// The system's identification of a mapped file or piece of anonymous shared memory.
struct MemoryObject {
  uint64_t device, inode;
};

class Processes {
 public:
  static constexpr uint32_t kNoSlot = ~uint32_t{0};
  static constexpr uint64_t kNoLine = ~uint64_t{0};

  // Called by one process, before any other uses it. `own_bytes`: size of the memory from here on.
  void build(uint64_t own_bytes, MemorySource more, const MachineGeometry& geometry) {
    bytes_ = own_bytes;
    used_ = (sizeof(*this) + 63) & ~uint64_t{63};
    build_one(directory_, [&](Arena& arena) { return DirectoryOfProcesses(kMaxHolders, more, arena); });
    l3_ = geometry.l3;
    third_level_lines_.physically_indexed = geometry.physical;
    for (ProcessCaches& slot : slots_) directory_.add(slot);
  }

  // Returns zeroed memory after this object; null if there is no more.
  void* take(uint64_t bytes) {
    uint64_t start = __atomic_fetch_add(&used_, (bytes + 63) & ~uint64_t{63}, __ATOMIC_SEQ_CST);
    return start + bytes > bytes_ ? nullptr : reinterpret_cast<char*>(this) + start;
  }

  // Takes a process slot; kNoSlot if all are taken. Slots of processes for which is_alive(process) is false
  // are reused.
  template <typename IsAlive>
  uint32_t take_slot(uint64_t process, IsAlive&& is_alive) {
    for (uint32_t i = 0; i < kMaxHolders; ++i) {  // its own slot, from before an exec
      if (slots_[i].process() == process && slots_[i].claim(process, process)) return i;
    }
    // Avoids the slot that was released last: the directory remembers for a while which lines that slot lost.
    uint32_t start = __atomic_fetch_add(&next_slot_, 1u, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < kMaxHolders; ++i) {
      uint32_t slot = (start + i) % kMaxHolders;
      if (slots_[slot].claim(process, 0)) return slot;
    }
    for (uint32_t i = 0; i < kMaxHolders; ++i) {
      uint64_t owner = slots_[i].process();
      if (owner != 0 && !is_alive(owner) && slots_[i].claim(process, owner)) return i;
    }
    return kNoSlot;
  }
  [[nodiscard]] ProcessCaches& slot(uint32_t number) { return slots_[number]; }

  // Returns the common number of an object's line, the first of `count` consecutive ones; kNoLine if there
  // are too many objects, or the object is too large.
  uint64_t line_of(MemoryObject object, uint64_t line, uint64_t count) {
    if ((line + count - 1) >> kObjectLineBits != 0) return kNoLine;
    LockGuard guard(objects_lock_);
    uint32_t i = 0;
    while (i < object_count_ && (objects_[i].device != object.device || objects_[i].inode != object.inode))
      ++i;
    if (i == kMaxObjects) return kNoLine;
    if (i == object_count_) {
      if (i == 0) make_third_level();
      objects_[i] = object;
      object_count_ = i + 1;
    }
    return uint64_t{i} << kObjectLineBits | line;
  }

  // Returns whether the third level had the line, and makes the line the most recent of its set. `index`
  // decides the set: the line itself, or its physical number if the machine uses physical addresses.
  bool look_in_third_level(uint64_t line, uint64_t index) {
    LockGuard guard(third_lock_);
    return has_third_level_ && third_level_.access_at(index, line);
  }

  // The process executes a flush instruction: the line leaves the third level and all other processes.
  // `index` as in look_in_third_level().
  void flush(uint32_t slot, uint64_t line, uint64_t index) {
    directory_.flush(slot, line);
    LockGuard guard(third_lock_);
    if (has_third_level_) third_level_.remove_at(index, line);
  }

  Answer use(uint32_t slot, uint64_t line, Demand demand) { return directory_.use(slot, line, demand); }
  // Whether the process may still have the line.
  [[nodiscard]] bool is_holder(uint32_t slot, uint64_t line) {
    return slots_[slot].holds(line) && directory_.is_holder(slot, line, true);
  }

 private:
  using DirectoryOfProcesses = BasicDirectory<ProcessCaches, BoundedLock>;
  static constexpr unsigned kObjectLineBits = 32;
  static constexpr uint32_t kMaxObjects = 1 << (kLineNumberBits - kObjectLineBits);

  // Returns false, with `made` unchanged, if there is not enough memory.
  template <typename Made, typename Make>
  bool build_one(Made& made, Make&& make) {
    Arena measure;
    make(measure);
    void* block = take(measure.used_bytes());
    if (block == nullptr) return false;
    Arena arena(block);
    made = make(arena);
    return true;
  }
  void make_third_level() {
    LockGuard guard(third_lock_);
    has_third_level_ = l3_.present() && build_one(third_level_, [&](Arena& arena) {
                         return Cache(l3_, arena, third_level_lines_);
                       });
  }

  uint64_t bytes_ = 0;
  uint64_t used_ = 0;
  SetGeometry l3_;
  CachedNumbers third_level_lines_;
  uint32_t next_slot_ = 0;
  BoundedLock objects_lock_;
  uint32_t object_count_ HM_GUARDED_BY(objects_lock_) = 0;
  MemoryObject objects_[kMaxObjects] HM_GUARDED_BY(objects_lock_) = {};
  DirectoryOfProcesses directory_;
  BoundedLock third_lock_;
  bool has_third_level_ HM_GUARDED_BY(third_lock_) =
      false;  // made with the first object: many sessions have none
  Cache third_level_ HM_GUARDED_BY(third_lock_);
  ProcessCaches slots_[kMaxHolders] = {};
};

}  // namespace hm::model
