// SPDX-License-Identifier: MIT
// A table with a value for every line of a program's memory, by line number. Freestanding.
//
// Sparse: three levels of pointers and leaves, made on demand. Nodes are small, because programs such as node
// map pieces of 256 KiB all over the address space. Any core may call it at any time; its user synchronises
// access to the values.
#pragma once

#include <stdint.h>

#include "model/arena.h"
#include "model/geometry.h"

namespace hm::model {

// Returns zeroed memory that is never freed; null if there is none. Called by any core at any time.
using MemorySource = void* (*)(uint64_t bytes);

// Values are initially zero.
template <typename Value>
class LineTable {
 public:
  static constexpr unsigned kLeafBits = 12;
  static constexpr uint64_t kLeafLines = uint64_t{1} << kLeafBits;
  struct Leaf {
    Value values[kLeafLines];
  };

  LineTable() = default;
  LineTable(MemorySource more, Arena& arena) : more_(more), root_(arena.take<Branch*>(kFanOut)) {}

  // Returns the leaf with the values of this line and its neighbours. Null if there is no memory for it, or
  // the line is outside user address space.
  [[nodiscard]] Leaf* leaf_of(uint64_t line) const {
    uint64_t number = line >> kLeafBits;
    if (number >> kNumberBits != 0) return nullptr;
    Branch* branch = get(root_[number >> (2 * kFanOutBits)]);
    Twig* twig = branch == nullptr ? nullptr : get(branch->twigs[number >> kFanOutBits & (kFanOut - 1)]);
    return twig == nullptr ? nullptr : get(twig->leaves[number & (kFanOut - 1)]);
  }
  [[nodiscard]] Value* of(uint64_t line) const {
    Leaf* leaf = leaf_of(line);
    return leaf == nullptr ? nullptr : &leaf->values[line % kLeafLines];
  }

  // Returns the line's value if its leaf exists; else null.
  [[nodiscard]] Value* find(uint64_t line) const {
    uint64_t number = line >> kLeafBits;
    if (root_ == nullptr || number >> kNumberBits != 0) return nullptr;
    Branch* branch = __atomic_load_n(&root_[number >> (2 * kFanOutBits)], __ATOMIC_ACQUIRE);
    if (branch == nullptr) return nullptr;
    Twig* twig = __atomic_load_n(&branch->twigs[number >> kFanOutBits & (kFanOut - 1)], __ATOMIC_ACQUIRE);
    if (twig == nullptr) return nullptr;
    Leaf* leaf = __atomic_load_n(&twig->leaves[number & (kFanOut - 1)], __ATOMIC_ACQUIRE);
    return leaf == nullptr ? nullptr : &leaf->values[line % kLeafLines];
  }

  // Calls visit(value) for all values of existing leaves.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (uint64_t i = 0; i < kFanOut; ++i) {
      if (root_[i] == nullptr) continue;
      for (Twig* twig : root_[i]->twigs) {
        if (twig == nullptr) continue;
        for (Leaf* leaf : twig->leaves) {
          if (leaf == nullptr) continue;
          for (Value& value : leaf->values) visit(value);
        }
      }
    }
  }

  // Whether the table has grown so much since the last forget_unused() that another call may pay off.
  [[nodiscard]] bool has_grown() const {
    constexpr uint64_t kFew = 512;
    uint64_t kept = __atomic_load_n(&kept_count_, __ATOMIC_RELAXED);
    return __atomic_load_n(&leaf_count_, __ATOMIC_RELAXED) >= 2 * kept + kFew;
  }

  // Reuses the leaves with no line in use (`is_used(first, count)`) for other lines, after calling
  // forget(value) for each of their values. Calls must not overlap. If another core accesses one of these
  // lines meanwhile, it may get the value of another line.
  template <typename IsUsed, typename Forget>
  void forget_unused(IsUsed&& is_used, Forget&& forget) {
    for (uint64_t i = 0; i < kFanOut; ++i) {
      if (root_[i] == nullptr) continue;
      for (uint64_t j = 0; j < kFanOut; ++j) {
        Twig*& twig = root_[i]->twigs[j];
        if (twig != nullptr && !keep_used(*twig, (i * kFanOut + j) * kFanOut, is_used, forget))
          unused_twigs_.add(take_out(twig));
      }
    }
    uint64_t kept = __atomic_load_n(&leaf_count_, __ATOMIC_RELAXED);
    __atomic_store_n(&kept_count_, kept, __ATOMIC_RELAXED);
  }

 private:
  static constexpr unsigned kNumberBits = kLineNumberBits - kLeafBits, kFanOutBits = kNumberBits / 3;
  static_assert(3 * kFanOutBits == kNumberBits);
  static constexpr uint64_t kFanOut = uint64_t{1} << kFanOutBits;

  struct Twig {
    Leaf* leaves[kFanOut];
  };
  struct Branch {
    Twig* twigs[kFanOut];
  };

  // Zeroed nodes that are in no table. A core that finds the list busy works without it.
  template <typename Node>
  class Unused {
   public:
    void add(Node* node) {
      __builtin_memset(node, 0, sizeof(Node));
      if (__atomic_exchange_n(&busy_, true, __ATOMIC_ACQUIRE)) return;
      *next_of(node) = first_;
      first_ = node;
      __atomic_store_n(&busy_, false, __ATOMIC_RELEASE);
    }
    Node* take() {
      if (__atomic_exchange_n(&busy_, true, __ATOMIC_ACQUIRE)) return nullptr;
      Node* node = first_;
      if (node != nullptr) {
        first_ = *next_of(node);
        *next_of(node) = nullptr;
      }
      __atomic_store_n(&busy_, false, __ATOMIC_RELEASE);
      return node;
    }

   private:
    static Node** next_of(Node* node) { return reinterpret_cast<Node**>(node); }

    Node* first_ = nullptr;
    bool busy_ = false;
  };

  template <typename Node>
  static Node* take_out(Node*& place) {
    return __atomic_exchange_n(&place, nullptr, __ATOMIC_ACQ_REL);
  }

  // Returns false if none of its leaves is in use. `first`: the number of its first leaf.
  template <typename IsUsed, typename Forget>
  bool keep_used(Twig& twig, uint64_t first, IsUsed& is_used, Forget& forget) {
    bool keeps = false;
    for (uint64_t i = 0; i < kFanOut; ++i) {
      if (twig.leaves[i] == nullptr) continue;
      if (is_used((first + i) << kLeafBits, kLeafLines)) {
        keeps = true;
        continue;
      }
      for (Value& value : twig.leaves[i]->values) forget(value);
      unused_leaves_.add(take_out(twig.leaves[i]));
      __atomic_fetch_sub(&leaf_count_, 1, __ATOMIC_RELAXED);
    }
    return keeps;
  }

  template <typename Node>
  Node* take_more() const {
    return static_cast<Node*>(more_(sizeof(Node)));
  }
  [[nodiscard]] Branch* get(Branch*& place) const {
    return get(place, [&] { return take_more<Branch>(); });
  }
  [[nodiscard]] Twig* get(Twig*& place) const {
    return get(place, [&] {
      Twig* unused = unused_twigs_.take();
      return unused != nullptr ? unused : take_more<Twig>();
    });
  }
  [[nodiscard]] Leaf* get(Leaf*& place) const {
    return get(place, [&] {
      __atomic_fetch_add(&leaf_count_, 1, __ATOMIC_RELAXED);
      Leaf* unused = unused_leaves_.take();
      return unused != nullptr ? unused : take_more<Leaf>();
    });
  }

  // Returns the node at `place`, made if necessary. If two threads make one at the same time, the first wins.
  template <typename Node, typename Make>
  [[nodiscard]] [[gnu::always_inline]] static Node* get(Node*& place, Make&& make) {
    Node* node = __atomic_load_n(&place, __ATOMIC_ACQUIRE);
    if (node != nullptr) [[likely]]
      return node;
    Node* made = make();
    if (made == nullptr) return nullptr;
    bool first = __atomic_compare_exchange_n(&place, &node, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return first ? made : node;
  }

  MemorySource more_ = nullptr;
  Branch** root_ = nullptr;
  uint64_t kept_count_ = 0;  // number of leaves after the last forget_unused()
  // Nodes are made by const functions, which changes no value.
  mutable uint64_t leaf_count_ = 0;
  mutable Unused<Twig> unused_twigs_;
  mutable Unused<Leaf> unused_leaves_;
};

// A table for one user, with a cache of recently used leaves.
template <typename Value>
class LineCursor {
 public:
  LineCursor() = default;
  LineCursor(MemorySource more, Arena& arena) : table_(more, arena), known_(arena.take<Known>(kKnown)) {}

  [[nodiscard]] [[gnu::always_inline]] Value* of(uint64_t line) {
    uint64_t number = line >> Table::kLeafBits;
    Known& known = known_[number % kKnown];
    if (known.number_plus_one != number + 1) [[unlikely]] {
      if (!find_leaf(number, known)) return nullptr;
    }
    return &known.leaf->values[line % Table::kLeafLines];
  }

  [[nodiscard]] const LineTable<Value>& table() const { return table_; }

  // See LineTable::forget_unused.
  template <typename IsUsed, typename Forget>
  void forget_unused(IsUsed&& is_used, Forget&& forget) {
    table_.forget_unused(is_used, forget);
    for (uint64_t i = 0; i < kKnown; ++i) known_[i] = {};
  }

 private:
  using Table = LineTable<Value>;
  static constexpr uint64_t kKnown = 512;

  struct Known {
    uint64_t number_plus_one;
    typename Table::Leaf* leaf;
  };

  [[gnu::noinline]] bool find_leaf(uint64_t number, Known& known) {
    typename Table::Leaf* leaf = table_.leaf_of(number << Table::kLeafBits);
    if (leaf == nullptr) return false;
    known = {number + 1, leaf};
    return true;
  }

  Table table_;
  Known* known_ = nullptr;  // by the low bits of the leaf's number
};

}  // namespace hm::model
