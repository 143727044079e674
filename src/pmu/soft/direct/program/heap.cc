// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/program/heap.h"

#include "pmu/soft/direct/core/target_registers.h"

namespace hm::soft::direct {
namespace {

// Bits of on_call()'s argument `what`: the number of the allocator that begins there plus one, and whether an
// allocator may return there.
constexpr uint32_t kReturns = 1u << 31;

}  // namespace

void Heap::enter_allocator(Core& core, uint64_t ip, uint32_t number) {
  const uint64_t* r = core.context.registers;
  AllocatorCall call{
      {r[kDi], r[kSi], r[kDx], r[kCx], r[kR8], r[kR9]}, r[kSp], alternate_stack(core.thread->signals)};
  const auto watch_return = [&](uint64_t address) {
    Guard guard(copies_.lock());
    copies_.forget_block_at(address);
  };
  observer_.enter(core.thread->allocator_calls, *recording_.session(), number, call, watch_return,
                  [&] { return registers_of(core, ip); });
}

void Heap::observe() {
  if (recording_.session() != nullptr) observer_.observe(*recording_.session());
}

void Heap::find_allocators(const ElfFunctions& file, const EntryTable::Piece& piece) {
  observer_.find_allocators(*recording_.session(), file, piece);
}

uint32_t Heap::point_at(uint64_t address) const {
  uint32_t number = observer_.number_at(address);
  return (number == kNoAllocator ? 0 : number + 1) | (observer_.is_return(address) ? kReturns : 0);
}

void Heap::on_call(Core& core, uint64_t address, uint32_t what) {
  const uint64_t* r = core.context.registers;
  Thread& thread = *core.thread;
  if ((what & kReturns) != 0)
    observer_.leave(thread.allocator_calls, address, r[kSp], r[kAx], alternate_stack(thread.signals));
  if ((what & ~kReturns) != 0) enter_allocator(core, address, (what & ~kReturns) - 1);
}

bool Heap::find_block(const Thread& thread, uint64_t address, HeapBlock& block) {
  Session* session = recording_.session();
  const auto next_site = [&] { return __atomic_add_fetch(&session->heap_sites, 1, __ATOMIC_RELAXED); };
  return observer_.find(address, block, next_site,
                        [&](uint32_t number, const HeapSiteFacts& facts, const StackCopy& stack) {
                          Origin origin{thread.pid, thread.tid, monotonic_ns()};
                          recording_.write(heap_site_record(*session, origin, number, facts, stack));
                        });
}

}  // namespace hm::soft::direct
