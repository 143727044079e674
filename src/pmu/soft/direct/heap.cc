// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/heap.h"

#include "pmu/soft/direct/engine.h"
#include "pmu/soft/direct/invalidation.h"
#include "pmu/soft/direct/memory.h"
#include "pmu/soft/direct/signal_actions.h"
#include "pmu/soft/direct/target_registers.h"
#include "pmu/soft/direct/thread.h"
#include "pmu/soft/sampling/heap_observer.h"

namespace hm::soft::direct {
namespace {

struct DirectPlatform {
  using Lock = direct::Lock;
  static void* map_pages(uint64_t bytes) { return direct::map_pages(bytes, kReadWrite); }
};

constinit HeapObserver<DirectPlatform> g_observer;

// hm_on_heap's `what`: the number of the allocator that begins there plus one, and whether one may return
// there.
constexpr uint32_t kReturns = 1u << 31;

void watch_return(uint64_t address) {
  Guard guard(g_translation);
  forget_block_at(address);
}

uint32_t next_site() { return __atomic_add_fetch(&session()->heap_sites, 1, __ATOMIC_RELAXED); }

void enter_allocator(Core& core, uint64_t ip, uint32_t number) {
  const uint64_t* r = core.context.registers;
  AllocatorCall call{
      {r[kDi], r[kSi], r[kDx], r[kCx], r[kR8], r[kR9]}, r[kSp], alternate_stack(core.thread->signals)};
  g_observer.enter(core.thread->allocator_calls, *session(), number, call, watch_return,
                   [&] { return registers_of(core, ip); });
}

}  // namespace

void observe_heap() {
  if (session() != nullptr) g_observer.observe(*session());
}

bool is_heap_observed() { return g_observer.observes(); }

void find_allocators(const ElfFunctions& file, const EntryTable::Piece& piece) {
  g_observer.find_allocators(*session(), file, piece);
}

void forget_allocators(uint64_t start, uint64_t end) { g_observer.forget_allocators(start, end); }

bool is_allocator(uint64_t address) { return g_observer.number_at(address) != kNoAllocator; }

uint32_t heap_point_at(uint64_t address) {
  uint32_t number = g_observer.number_at(address);
  return (number == kNoAllocator ? 0 : number + 1) | (g_observer.is_return(address) ? kReturns : 0);
}

bool find_heap_block(const Thread& thread, uint64_t address, HeapBlock& block) {
  return g_observer.find(address, block, next_site,
                         [&](uint32_t number, const HeapSiteFacts& facts, const StackCopy& stack) {
                           Origin origin{thread.pid, thread.tid, monotonic_ns()};
                           write_record(heap_site_record(*session(), origin, number, facts, stack));
                         });
}

void lock_heap_for_fork() { g_observer.lock_for_fork(); }

void unlock_heap_after_fork(bool in_child) {
  in_child ? g_observer.reset_locks() : g_observer.unlock_after_fork();
}

}  // namespace hm::soft::direct

extern "C" void hm_on_heap(hm::soft::direct::Core* core, uint64_t address, uint32_t what) {
  using namespace hm::soft::direct;
  const uint64_t* r = core->context.registers;
  Thread& thread = *core->thread;
  if ((what & kReturns) != 0) {
    g_observer.leave(thread.allocator_calls, address, r[kSp], r[kAx], alternate_stack(thread.signals));
  }
  if ((what & ~kReturns) != 0) enter_allocator(*core, address, (what & ~kReturns) - 1);
}
