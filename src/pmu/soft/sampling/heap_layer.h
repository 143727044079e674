// SPDX-License-Identifier: MIT
// Non-overlapping blocks of memory, found by their start or by any address in them. Thread-safe.
// Freestanding.
//
// A block is stored in the leaf in which it begins (heap_leaf.h). Levels of bits mark the leaves that are not
// empty, so the last leaf before an address is found in a few steps even for a long block.
#pragma once

#include <stdint.h>

#include <concepts>

#include "base/thread_safety.h"
#include "model/lock_guard.h"
#include "pmu/soft/sampling/bit_levels.h"
#include "pmu/soft/sampling/heap_leaf.h"
#include "pmu/soft/sampling/piece_pool.h"

namespace hm::soft {

// The engine's memory and locks.
template <typename T>
concept HeapPlatform = requires(uint64_t bytes, typename T::Lock& lock) {
  // Zeroed memory that is never freed; null if the system refuses.
  { T::map_pages(bytes) } -> std::same_as<void*>;
  lock.lock();
  lock.unlock();
  lock.reset();  // in a forked child: no thread holds the lock
};

using model::LockGuard;

template <HeapPlatform Platform>
class HeapLayer {
 public:
  // Adds a block, and removes those that begin inside [start, start + bytes). Returns false, without a
  // change, if no memory is available.
  bool put(uint64_t start, uint64_t bytes, uint32_t site) {
    if (bytes == 0 || bytes > kMaxBlockBytes || !is_address(start) || !is_address(start + bytes - 1))
      return false;
    HeapLeaf* leaf = make_leaf(start);
    if (leaf == nullptr) return false;
    {
      Guard guard(lock_of(start));
      if (leaf->is_full() && !grow(*leaf)) return false;
      bool was_empty = leaf->empty();
      leaf->put(in_leaf(start), bytes, site);
      remove_offsets(*leaf, in_leaf(start) + uint64_t{1}, in_leaf(start) + bytes);
      if (was_empty) note_use(start, true);
    }
    uint64_t behind = (start & ~(kLeafBytes - 1)) + kLeafBytes;
    if (start + bytes > behind) remove_in(behind, start + bytes);
    return true;
  }

  // Returns false if no block begins there.
  bool remove(uint64_t start, HeapBlock& removed) { return remove_if(start, false, removed); }

  // Marks a block that may move. It can still be found; end_move() removes it unless another block replaced
  // it.
  void begin_move(uint64_t start) {
    HeapLeaf* leaf = find_leaf(start);
    if (leaf == nullptr) return;
    Guard guard(lock_of(start));
    if (LeafEntry* entry = leaf->at(in_leaf(start))) entry->high_bytes |= LeafEntry::kMoves;
  }
  void cancel_move(uint64_t start) {
    HeapLeaf* leaf = find_leaf(start);
    if (leaf == nullptr) return;
    Guard guard(lock_of(start));
    if (LeafEntry* entry = leaf->at(in_leaf(start))) entry->high_bytes &= ~LeafEntry::kMoves;
  }
  bool end_move(uint64_t start, HeapBlock& removed) { return remove_if(start, true, removed); }

  // Removes all blocks that begin in [start, end).
  void remove_in(uint64_t start, uint64_t end) {
    while (start < end) {
      uint32_t number = first_used_from(leaf_number(start));
      if (number == kNoLeaf) return;
      uint64_t base = uint64_t{number} << kLeafShift;
      if (base >= end) return;
      uint64_t from = start > base ? start : base;
      Guard guard(lock_of(base));
      HeapLeaf* leaf = find_leaf(base);
      bool was_empty = leaf->empty();
      remove_offsets(*leaf, from - base, end - base);
      if (!was_empty && leaf->empty()) note_use(base, false);
      start = base + kLeafBytes;
    }
  }

  // Returns false if the address is in no block.
  bool find(uint64_t address, HeapBlock& found) {
    if (!is_address(address)) return false;
    uint64_t at = address;
    while (true) {
      uint32_t number = last_used_up_to(leaf_number(at));
      if (number == kNoLeaf) return false;
      uint64_t base = uint64_t{number} << kLeafShift;
      if (base + kLeafBytes <= at) at = base + kLeafBytes - 1;
      Guard guard(lock_of(base));
      if (LeafEntry* entry = find_leaf(base)->last_up_to(in_leaf(at))) {
        found = {base + entry->start, entry->bytes(), entry->site};
        return address - found.start < found.bytes;
      }
      if (number == 0) return false;
      at = base - 1;
    }
  }

  // Calls visit(lock) for each lock, in locking order.
  template <typename Visit>
  void for_each_lock(Visit&& visit) {
    for (Lock& each : locks_) visit(each);
    visit(structure_);
  }

 private:
  using Lock = typename Platform::Lock;
  using Guard = LockGuard<Lock>;

  static constexpr unsigned kAddressBits = 47;
  static constexpr unsigned kNodeBits = 12;  // leaves per node
  static constexpr uint32_t kLeaves = 1u << kNodeBits;
  static constexpr uint32_t kNodes = 1u << (kAddressBits - kLeafShift - kNodeBits);
  static constexpr uint32_t kNoLeaf = ~uint32_t{0};
  static constexpr uint32_t kLocks = 64;
  static constexpr uint64_t kPoolBytes = 1u << 20;

  struct Node {
    HeapLeaf* leaves[kLeaves];
    BitLevels<kLeaves> used;
  };
  struct Root {
    Node* nodes[kNodes];
    BitLevels<kNodes> used;
  };
  struct FreeTable {
    FreeTable* next;
  };

  static bool is_address(uint64_t address) { return address >> kAddressBits == 0; }
  static uint32_t leaf_number(uint64_t address) { return static_cast<uint32_t>(address >> kLeafShift); }
  static uint16_t in_leaf(uint64_t address) { return static_cast<uint16_t>(address & (kLeafBytes - 1)); }
  Lock& lock_of(uint64_t address) { return locks_[leaf_number(address) % kLocks]; }

  [[nodiscard]] Node* find_node(uint32_t leaf) const {
    Root* root = __atomic_load_n(&root_, __ATOMIC_ACQUIRE);
    return root == nullptr ? nullptr : __atomic_load_n(&root->nodes[leaf >> kNodeBits], __ATOMIC_ACQUIRE);
  }
  // Leaves are never freed.
  [[nodiscard]] HeapLeaf* find_leaf(uint64_t address) const {
    if (!is_address(address)) return nullptr;
    uint32_t leaf = leaf_number(address);
    Node* node = find_node(leaf);
    return node == nullptr ? nullptr : __atomic_load_n(&node->leaves[leaf % kLeaves], __ATOMIC_ACQUIRE);
  }

  HeapLeaf* make_leaf(uint64_t address) {
    if (HeapLeaf* known = find_leaf(address)) return known;
    Guard guard(structure_);
    uint32_t number = leaf_number(address);
    if (root_ == nullptr) publish(root_, static_cast<Root*>(Platform::map_pages(sizeof(Root))));
    if (root_ == nullptr) return nullptr;
    Node*& node = root_->nodes[number >> kNodeBits];
    if (node == nullptr) publish(node, static_cast<Node*>(Platform::map_pages(sizeof(Node))));
    if (node == nullptr) return nullptr;
    HeapLeaf*& leaf = node->leaves[number % kLeaves];
    if (leaf == nullptr) publish(leaf, static_cast<HeapLeaf*>(take(sizeof(HeapLeaf))));
    return leaf;
  }
  template <typename T>
  static void publish(T*& place, T* made) {
    __atomic_store_n(&place, made, __ATOMIC_RELEASE);
  }

  bool remove_if(uint64_t start, bool only_moving, HeapBlock& removed) {
    HeapLeaf* leaf = find_leaf(start);
    if (leaf == nullptr) return false;
    Guard guard(lock_of(start));
    LeafEntry* entry = leaf->at(in_leaf(start));
    if (entry == nullptr || (only_moving && !entry->moves())) return false;
    removed = {start, entry->bytes(), entry->site};
    leaf->remove(entry);
    if (leaf->empty()) note_use(start, false);
    return true;
  }

  // Removes the blocks that begin in [from, end), in bytes from the leaf's start.
  static void remove_offsets(HeapLeaf& leaf, uint64_t from, uint64_t end) {
    while (from < kLeafBytes) {
      LeafEntry* entry = leaf.first_from(static_cast<uint16_t>(from));
      if (entry == nullptr || entry->start >= end) return;
      from = entry->start + uint64_t{1};
      leaf.remove(entry);
    }
  }

  // Records that the leaf has just got its first block, or lost its last.
  void note_use(uint64_t address, bool used) {
    Guard guard(structure_);
    uint32_t leaf = leaf_number(address);
    Node& node = *root_->nodes[leaf >> kNodeBits];
    if (used) {
      node.used.set(leaf % kLeaves);
      root_->used.set(leaf >> kNodeBits);
      return;
    }
    node.used.clear(leaf % kLeaves);
    if (node.used.first_from(0) == kNoLeaf) root_->used.clear(leaf >> kNodeBits);
  }

  uint32_t last_used_up_to(uint32_t leaf) HM_EXCLUDES(structure_) {
    Guard guard(structure_);
    if (root_ == nullptr) return kNoLeaf;
    uint32_t at = leaf >> kNodeBits;
    if (root_->used.has(at)) {
      uint32_t found = root_->nodes[at]->used.last_up_to(leaf % kLeaves);
      if (found != kNoLeaf) return at << kNodeBits | found;
    }
    at = at == 0 ? kNoLeaf : root_->used.last_up_to(at - 1);
    if (at == kNoLeaf) return kNoLeaf;
    return at << kNodeBits | root_->nodes[at]->used.last_up_to(kLeaves - 1);
  }
  uint32_t first_used_from(uint32_t leaf) {
    Guard guard(structure_);
    if (root_ == nullptr) return kNoLeaf;
    uint32_t at = leaf >> kNodeBits;
    if (root_->used.has(at)) {
      uint32_t found = root_->nodes[at]->used.first_from(leaf % kLeaves);
      if (found != kNoLeaf) return at << kNodeBits | found;
    }
    at = root_->used.first_from(at + 1);
    if (at == kNoLeaf) return kNoLeaf;
    return at << kNodeBits | root_->nodes[at]->used.first_from(0);
  }

  bool grow(HeapLeaf& leaf) {
    Guard guard(structure_);
    unsigned before_bits = leaf.table_bits();
    unsigned bits = before_bits == 0 ? HeapLeaf::kFirstTableBits : before_bits + 1;
    auto* table = static_cast<LeafEntry*>(take_table(bits));
    if (table == nullptr) return false;
    if (LeafEntry* before = leaf.move_to(table, bits)) {
      auto* free = reinterpret_cast<FreeTable*>(before);
      free->next = free_[before_bits];
      free_[before_bits] = free;
    }
    return true;
  }
  void* take_table(unsigned bits) HM_REQUIRES(structure_) {
    uint64_t bytes = sizeof(LeafEntry) << bits;
    FreeTable* free = free_[bits];
    if (free == nullptr) return take(bytes);
    free_[bits] = free->next;
    __builtin_memset(free, 0, bytes);
    return free;
  }
  void* take(uint64_t bytes) HM_REQUIRES(structure_) {
    return pool_.take(bytes, kPoolBytes, Platform::map_pages);
  }

  Root* root_ HM_GUARDED_BY(structure_) = nullptr;
  PiecePool pool_ HM_GUARDED_BY(structure_);
  FreeTable* free_[HeapLeaf::kLastTableBits + 1] HM_GUARDED_BY(structure_) = {};
  Lock locks_[kLocks];  // protect the contents of leaves
  Lock structure_;      // taken after one of `locks_`
};

}  // namespace hm::soft
