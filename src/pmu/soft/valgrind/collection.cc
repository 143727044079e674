// SPDX-License-Identifier: GPL-2.0-or-later
#include "collection.h"

#include "call_outs.h"
#include "core_model.h"
#include "heap.h"
#include "pmu/soft/sampling/activation.h"
#include "pmu/soft/sampling/function_entries.h"
#include "pmu/soft/sampling/read_file.h"
#include "pmu/soft/sampling/regions.h"
#include "session_link.h"

namespace hm::soft::vg {

constexpr uint64_t kOn = ~uint64_t{0}, kOff = 0;

uint64_t g_collecting = kOn;
uint64_t g_activation_sp = kNoActivation;

namespace {

struct Collection {
  uint64_t collecting;
  uint64_t activation_sp;
  bool awaits_start;  // to be collected when the session is no longer held
  uint32_t regions;   // number of marked regions that the thread is in
};

Collection g_collections[kMaxThreads];
ThreadId g_running;
bool g_in_functions;  // threads are collected only inside the session's functions
bool g_in_regions;    // threads are collected only inside regions that the program marks
bool g_held;          // last seen state of Session::held
bool g_limited;
constinit FunctionEntries g_entries;

Collection& collection_of(ThreadId tid) { return g_collections[tid % kMaxThreads]; }

struct ValgrindMemory {
  static void* map_readable(int fd, uint64_t bytes) {
    SysRes mapped = VG_(am_shared_mmap_file_float_valgrind)(bytes, VKI_PROT_READ, fd, 0);
    return sr_isError(mapped) ? nullptr : reinterpret_cast<void*>(sr_Res(mapped));
  }
  static void unmap(void* mapping, uint64_t bytes) {
    VG_(am_munmap_valgrind)(reinterpret_cast<Addr>(mapping), bytes);
  }
};

void take_entries(const NSegment* segment, Addr start, SizeT bytes) {
  if (segment == nullptr || segment->kind != SkFileC || !segment->hasX) return;
  const HChar* path = VG_(am_get_filename)(segment);
  if (path == nullptr) return;
  ReadFile<ValgrindMemory> file(path);
  auto offset = static_cast<uint64_t>(segment->offset) + (start - segment->start);
  ElfFunctions functions(file.data(), file.bytes());
  EntryTable::Piece piece{start, bytes, offset};
  if (g_in_functions) g_entries.add_file(*session(), functions, piece);
  find_allocators(functions, piece);
}

void leave(uint64_t* sp) {
  SignalStackRange signals{VG_(thread_get_altstack_min)(g_running), VG_(thread_get_altstack_size)(g_running)};
  if (has_left(g_activation_sp, *sp, signals)) set_collecting(false);
}

}  // namespace

void limit_collection() {
  g_in_functions = limits_functions(*session());
  g_held = session()->held != 0;
  g_limited = g_in_functions || g_held;
}

bool is_limited() { return g_limited; }
bool is_limited_to_functions() { return g_in_functions; }

void find_entries(Addr start, SizeT bytes, bool executable) {
  if (!g_in_functions && !is_heap_observed()) return;
  g_entries.forget(start, start + bytes);
  forget_allocators(start, start + bytes);
  if (executable) take_entries(VG_(am_find_nsegment)(start), start, bytes);
}

void find_all_entries() {
  if (!g_in_functions && !is_heap_observed()) return;
  constexpr Int kMost = 4096;
  static Addr starts[kMost];
  Int count = VG_(am_get_segment_starts)(SkFileC, starts, kMost);
  for (Int i = 0; i < count; ++i) {
    const NSegment* segment = VG_(am_find_nsegment)(starts[i]);
    if (segment != nullptr) take_entries(segment, segment->start, segment->end + 1 - segment->start);
  }
}

bool is_entry(uint64_t address) {
  return g_in_functions && g_entries.function_at(address) != FunctionEntries::kNone;
}

void begin_collection(ThreadId tid) {
  collection_of(tid) = {g_held || g_in_functions || g_in_regions ? kOff : kOn, kNoActivation,
                        g_held && !g_in_functions, 0};
}

// Called when the first mappings are known: checks whether one of them belongs to a program that marks
// regions.
void look_for_regions() {
  constexpr Int kMost = 4096;
  static Addr starts[kMost];
  Int count = session()->obeys_regions != 0 ? VG_(am_get_segment_starts)(SkFileC, starts, kMost) : 0;
  for (Int i = 0; i < count && !g_in_regions; ++i) {
    const NSegment* segment = VG_(am_find_nsegment)(starts[i]);
    const HChar* path = segment == nullptr || !segment->hasX ? nullptr : VG_(am_get_filename)(segment);
    if (path == nullptr) continue;
    ReadFile<ValgrindMemory> file(path);
    g_in_regions = begins_with_regions(*session(), {file.data(), file.bytes()});
  }
  g_limited = g_limited || g_in_regions;
}

// Handles a region call. Code translated before a program's first region may lack the check whether the
// thread is collected, so it is discarded and translated again.
void obey_region(ThreadId tid, uint64_t address) {
  RegionCall call;
  if (!read_region_call(address, call)) return;
  Collection& own = collection_of(tid);
  RegionStep step = take_region_step(*session(), call, own.regions);
  answer_region_call(address, step.answer);
  if (step.begins && !g_limited)
    VG_(discard_translations_safely)(0x1000, ~SizeT{0} >> 17, "hardmeter: a region begins");
  g_in_regions = g_in_regions || step.begins;
  g_limited = g_limited || g_in_regions;
  if (!step.begins && !step.ends) return;
  own.collecting = step.begins ? kOn : kOff;
  own.activation_sp = kNoActivation;
  own.awaits_start = false;
}

void forget_regions(ThreadId tid) {
  collection_of(tid).regions = 0;
  if (g_in_regions) collection_of(tid).collecting = kOff;
}

bool is_collected(ThreadId tid) { return collection_of(tid).collecting != kOff; }

void load_collection(ThreadId tid) {
  g_held = g_held && session()->held != 0;
  const Collection& own = collection_of(tid);
  g_running = tid;
  g_collecting = own.collecting;
  g_activation_sp = own.activation_sp;
  if (own.awaits_start && !g_held) set_collecting(true);
}

void keep_collection(ThreadId tid) {
  collection_of(tid).collecting = g_collecting;
  collection_of(tid).activation_sp = g_activation_sp;
}

void set_collecting(bool on) {
  g_collecting = on ? kOn : kOff;
  g_activation_sp = kNoActivation;
  collection_of(g_running).awaits_start = false;
}

// Begins an activation. The call instruction was not collected, so the return predictor is updated here.
void enter_function(uint64_t address, uint64_t sp) {
  if (g_held || !g_entries.enter(*session(), address)) return;
  set_collecting(true);
  g_activation_sp = sp;
  g_core.predictor.call(*reinterpret_cast<const uint64_t*>(sp));
}

void leave_function(uint64_t sp) { call_saving_vectors(leave, &sp); }

}  // namespace hm::soft::vg
