// SPDX-License-Identifier: GPL-2.0-or-later
#include "heap.h"

#include "call_outs.h"
#include "pmu/soft/sampling/heap_observer.h"
#include "sampling.h"
#include "session_link.h"
#include "threads.h"
#include "valgrind_compat.h"

namespace hm::soft::vg {

uint64_t g_allocator_stack = kNoActivation;

namespace {

// No lock is needed, because Valgrind runs one thread at a time.
struct NoLock {
  void lock() {}
  void unlock() {}
  void reset() {}
};

struct ValgrindPlatform {
  using Lock = NoLock;
  static void* map_pages(uint64_t bytes) { return allocate_pages(bytes); }
};

constinit HeapObserver<ValgrindPlatform> g_observer;
OpenCalls g_calls[kMaxThreads];

OpenCalls& calls_of(ThreadId tid) { return g_calls[tid % kMaxThreads]; }

SignalStackRange signal_stack(ThreadId tid) {
  return {VG_(thread_get_altstack_min)(tid), VG_(thread_get_altstack_size)(tid)};
}

void note_innermost(const OpenCalls& calls) {
  g_allocator_stack = calls.count == 0 ? kNoActivation : calls.calls[calls.count - 1].stack_pointer;
}

uint32_t next_site() { return __atomic_add_fetch(&session()->heap_sites, 1, __ATOMIC_RELAXED); }

struct Entered {
  uint64_t address;
  VexGuestAMD64State* state;
};

void enter(Entered* entered) {
  ThreadId tid = VG_(get_running_tid)();
  OpenCalls& calls = calls_of(tid);
  if (calls.stack_begin == 0) calls.stack_begin = VG_(thread_get_stack_max)(tid);
  const VexGuestAMD64State& state = *entered->state;
  AllocatorCall call{
      {state.guest_RDI, state.guest_RSI, state.guest_RDX, state.guest_RCX, state.guest_R8, state.guest_R9},
      state.guest_RSP,
      signal_stack(tid)};
  g_observer.enter(
      calls, *session(), g_observer.number_at(entered->address), call, [](uint64_t) {},
      [&] { return read_registers(entered->state, entered->address); });
  note_innermost(calls);
}

struct Left {
  uint64_t sp;
  uint64_t result;
};

// Reads the return address below the new stack pointer, where the return has left it.
void leave(Left* left) {
  ThreadId tid = VG_(get_running_tid)();
  OpenCalls& calls = calls_of(tid);
  uint64_t address = *reinterpret_cast<const uint64_t*>(left->sp - sizeof(uint64_t));
  g_observer.leave(calls, address, left->sp, left->result, signal_stack(tid));
  note_innermost(calls);
}

}  // namespace

void observe_heap() { g_observer.observe(*session()); }
bool is_heap_observed() { return g_observer.observes(); }

void find_allocators(const ElfFunctions& file, const EntryTable::Piece& piece) {
  g_observer.find_allocators(*session(), file, piece);
}

void forget_allocators(uint64_t start, uint64_t end) { g_observer.forget_allocators(start, end); }

bool is_allocator(uint64_t address) { return g_observer.number_at(address) != kNoAllocator; }

void begin_allocator_calls(ThreadId tid) { calls_of(tid) = {}; }
void load_allocator_calls(ThreadId tid) { note_innermost(calls_of(tid)); }

void enter_allocator(uint64_t address, VexGuestAMD64State* state) {
  Entered entered{address, state};
  if (is_allocator(address)) call_saving_vectors(enter, &entered);
}

void leave_allocator(uint64_t sp, uint64_t result) {
  Left left{sp, result};
  call_saving_vectors(leave, &left);
}

bool find_heap_block(uint64_t address, HeapBlock& block) {
  return g_observer.find(address, block, next_site,
                         [](uint32_t number, const HeapSiteFacts& facts, const StackCopy& stack) {
                           Origin origin{static_cast<uint32_t>(VG_(getpid)()),
                                         kernel_tid(VG_(get_running_tid)()), monotonic_ns()};
                           heap_site_record(*session(), origin, number, facts, stack).write_to(*ring());
                         });
}

}  // namespace hm::soft::vg
