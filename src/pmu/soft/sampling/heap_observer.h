// SPDX-License-Identifier: MIT
// Keeps the table of a program's heap blocks, from its calls of allocators. All engines share it.
// Freestanding.
//
// A call is recorded at the allocator's first instruction, and its result at the return address. Calls of
// allocators within an allocator belong to the outermost call. The exception is malloc (or a similar
// function) within an allocator that the user named: it provides the memory that the named allocator hands
// out.
#pragma once

#include <stdint.h>

#include "pmu/soft/sampling/activation.h"
#include "pmu/soft/sampling/allocators.h"
#include "pmu/soft/sampling/calling_path.h"
#include "pmu/soft/sampling/heap_blocks.h"
#include "pmu/soft/sampling/heap_site_store.h"
#include "pmu/soft/sampling/heap_sites.h"
#include "pmu/soft/sampling/read_memory.h"

namespace hm::soft {

// A call that has not returned.
struct OpenCall {
  uint64_t stack_pointer;  // address of the return address
  uint64_t return_address;
  uint64_t bytes;
  uint64_t place;  // kReallocate: the old block; kPlace: the address of the result
  uint32_t allocator;
  uint32_t site;
  uint32_t inside;  // number of ignored calls within it
  AllocatorKind kind;
  bool named;
};

// The open calls of a thread; all zeros: none.
struct OpenCalls {
  static constexpr uint32_t kMost = 2;  // a call of a named allocator, and one of malloc (or similar) in it

  OpenCall calls[kMost];
  uint32_t count;
  uint64_t stack_begin;  // the thread's initial stack pointer
};

// State at an allocator's first instruction. Arguments are in the System V ABI's registers: section 3.2.3.
struct AllocatorCall {
  uint64_t arguments[6];
  uint64_t stack_pointer;
  SignalStackRange signals;
};

template <HeapPlatform Platform>
class HeapObserver {
 public:
  // Starts observing if the session requests it and memory is available. Otherwise there are no allocators,
  // returns or blocks.
  void observe(const Session& session) {
    observes_ = observes_heap(session) && sites_.begin() && store_.make();
  }
  [[nodiscard]] bool observes() const { return observes_; }

  // The next two: an executable file has been mapped; a range has been unmapped.
  void find_allocators(Session& session, const ElfFunctions& file, const EntryTable::Piece& piece) {
    if (!observes_) return;
    allocators_.add_file(session, file, piece);
    code_.add(piece.start, piece.start + piece.bytes);
  }
  void forget_allocators(uint64_t start, uint64_t end) {
    if (!observes_) return;
    allocators_.forget(start, end);
    code_.forget(start, end);
  }
  // Returns the number of the allocator that begins there, or kNoAllocator.
  [[nodiscard]] uint32_t number_at(uint64_t address) const {
    return observes_ ? allocators_.function_at(address) : kNoAllocator;
  }

  // Forgets all blocks, because frees may have been missed.
  void forget_blocks() {
    if (observes_) blocks_.forget_all();
  }

  // The thread calls the allocator `number`. Calls watch(return_address) before the first return to an
  // address that has to be observed. registers() returns the thread's registers.
  template <typename Watch, typename ReadRegisters>
  void enter(OpenCalls& open, const Session& session, uint32_t number, const AllocatorCall& call, Watch watch,
             ReadRegisters registers) {
    Allocator allocator = allocator_at(session, number);
    if (allocator.kind == AllocatorKind::kFree) return blocks_.freed(call.arguments[0]);
    uint64_t return_address = *reinterpret_cast<const uint64_t*>(call.stack_pointer);
    if (!begins(open, allocator, number, call, return_address)) return;
    typename HeapSites<Platform>::Call from{return_address, calling_path(code_, call.stack_pointer),
                                            open.stack_begin - call.stack_pointer};
    uint32_t site = sites_.site_of(from, watch, [&](bool any_depth) {
      return store_.keep({registers(), return_address, any_depth});
    });
    OpenCall noted{call.stack_pointer, return_address, size_of(allocator, call), 0, number, site, 0,
                   allocator.kind,     allocator.named};
    if (allocator.kind != AllocatorKind::kAllocate) noted.place = call.arguments[0];
    if (allocator.kind == AllocatorKind::kReallocate) blocks_.begin_move(noted.place);
    open.calls[open.count++] = noted;
  }

  // The thread is at a possible return address of an allocator, with the result `result`.
  void leave(OpenCalls& open, uint64_t address, uint64_t stack_pointer, uint64_t result,
             SignalStackRange signals) {
    while (open.count != 0) {
      const OpenCall& call = open.calls[open.count - 1];
      bool returns = call.return_address == address && call.stack_pointer + 8 == stack_pointer;
      if (!returns && !has_left(call.stack_pointer, stack_pointer, signals)) return;
      if (returns) take_result(call, result);
      --open.count;
    }
  }

  // For a sample: finds the block that holds the address, and sets its site's number in the recording
  // (HeapSiteStore::number_of). Returns false if there is no block.
  template <typename Next, typename Write>
  bool find(uint64_t address, HeapBlock& found, Next next, Write write) {
    if (!observes_ || !blocks_.find(address, found)) return false;
    found.site = store_.number_of(found.site, next, write);
    return true;
  }
  [[nodiscard]] bool is_return(uint64_t address) const { return observes_ && sites_.is_return(address); }

  // for_each_outer_lock() calls visit(lock) for the lock held while enter() calls watch(), which may take the
  // engine's locks. for_each_inner_lock() visits all other locks, in locking order.
  template <typename Visit>
  void for_each_outer_lock(Visit&& visit) {
    if (observes_) sites_.for_each_lock(visit);
  }
  template <typename Visit>
  void for_each_inner_lock(Visit&& visit) {
    if (!observes_) return;
    store_.for_each_lock(visit);
    blocks_.for_each_lock(visit);
  }

 private:
  // No allocator makes this many calls of others: after more, the outer call was left without a return.
  static constexpr uint32_t kMaxInside = 16;

  static uint64_t size_of(const Allocator& allocator, const AllocatorCall& call) {
    uint64_t bytes = call.arguments[allocator.size_argument - 1];
    if (allocator.count_argument == 0) return bytes;
    uint64_t product = 0;
    bool overflows = __builtin_mul_overflow(bytes, call.arguments[allocator.count_argument - 1], &product);
    return overflows ? 0 : product;  // the allocator fails then
  }

  // Returns whether to record the call. Removes calls that were left without a return.
  static bool begins(OpenCalls& open, const Allocator& allocator, uint32_t number, const AllocatorCall& call,
                     uint64_t return_address) {
    while (open.count != 0) {
      OpenCall& outer = open.calls[open.count - 1];
      if (is_over(outer, number, call, return_address)) {
        --open.count;
        continue;
      }
      bool counts = outer.named && !allocator.named && open.count < OpenCalls::kMost;
      if (counts || ++outer.inside <= kMaxInside) return counts;
      --open.count;
    }
    return true;
  }

  static bool is_over(const OpenCall& outer, uint32_t number, const AllocatorCall& call,
                      uint64_t return_address) {
    if (has_left(outer.stack_pointer, call.stack_pointer, call.signals)) return true;
    // If the call repeats, an allocator that jumps to its own start may be recorded anew.
    if (outer.stack_pointer == call.stack_pointer)
      return outer.return_address != return_address || outer.allocator == number;
    return word_at(outer.stack_pointer, call.stack_pointer) != outer.return_address;
  }

  // Returns the word at `address`. The page of `near` is mapped. Another page may have been unmapped with its
  // stack; the result is then 0.
  static uint64_t word_at(uint64_t address, uint64_t near) {
    if (address / kPageBytes == near / kPageBytes) return *reinterpret_cast<const uint64_t*>(address);
    uint64_t word = 0;
    return read_memory(address, &word, sizeof(word)) == sizeof(word) ? word : 0;
  }

  void take_result(const OpenCall& call, uint64_t result) {
    if (call.kind == AllocatorKind::kPlace) {
      bool failed = static_cast<uint32_t>(result) != 0;
      result = failed ? 0 : *reinterpret_cast<const uint64_t*>(call.place);
    }
    if (call.kind == AllocatorKind::kReallocate) {
      bool stays = result == 0 && call.bytes != 0;
      stays ? blocks_.cancel_move(call.place) : blocks_.end_move(call.place);
    }
    if (result != 0) blocks_.allocated(result, call.bytes, call.site, call.named);
  }

  bool observes_ = false;
  AllocatorEntries allocators_;
  CodeRanges code_;
  HeapBlocks<Platform> blocks_;
  HeapSites<Platform> sites_;
  HeapSiteStore<Platform> store_;
};

}  // namespace hm::soft
