// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/collection.h"

#include "pmu/soft/direct/engine.h"
#include "pmu/soft/direct/heap.h"
#include "pmu/soft/direct/invalidation.h"
#include "pmu/soft/direct/memory.h"
#include "pmu/soft/direct/signal_actions.h"
#include "pmu/soft/direct/thread.h"
#include "pmu/soft/sampling/function_entries.h"
#include "pmu/soft/sampling/read_file.h"
#include "pmu/soft/sampling/regions.h"

namespace hm::soft::direct {
namespace {

constinit FunctionEntries g_entries;
bool g_in_functions;  // threads are collected only inside the session's functions
bool g_in_regions;    // threads are collected only inside regions that the program marks
bool g_held;          // Session::held, as far as this process has noticed

struct OwnMemory {
  static void* map_readable(int fd, uint64_t bytes) {
    return map_file(fd, bytes, kReadable, Sharing::kPrivate);
  }
  static void unmap(void* mapping, uint64_t bytes) { unmap_pages(mapping, bytes); }
};

void take_entries(const MappedRange& range, void* wanted) {
  const auto& [start, end] = *static_cast<const Range*>(wanted);
  bool is_code = (range.protection & kExecutable) != 0 && range.inode != 0;
  if (!is_code || is_engine(range) || range.end <= start || range.start >= end) return;
  ReadFile<OwnMemory> file(range.path);
  ElfFunctions functions(file.data(), file.bytes());
  EntryTable::Piece piece{range.start, range.end - range.start, range.offset};
  if (g_in_functions) g_entries.add_file(*session(), functions, piece);
  find_allocators(functions, piece);
}

// The session is no longer held. Copies made until now check for that, and contain no functions' beginnings:
// they are dropped.
void end_hold() {
  Guard guard(g_translation);
  if (!g_held) return;
  __atomic_store_n(&g_held, false, __ATOMIC_RELAXED);
  forget_all_code();
}

// Begins an activation. The call that led there was not collected, so the predictor of returns learns of it
// here.
void enter_function(Core& core) {
  if (!g_entries.enter(*session(), core.context.ip)) return;
  set_collecting(core, true);
  uint64_t sp = core.context.registers[kSp];
  core.activation_sp = core.thread->activation_sp = sp;
  core.model.predictor.call(*reinterpret_cast<const uint64_t*>(sp));
}

}  // namespace

void limit_collection() {
  if (session() == nullptr) return;
  g_in_functions = limits_functions(*session());
  g_held = session()->held != 0;
  ReadFile<OwnMemory> program("/proc/self/exe");
  g_in_regions = begins_with_regions(*session(), {program.data(), program.bytes()});
}

void find_entries(uint64_t start, uint64_t end) {
  Range wanted{start, end};
  if (g_in_functions || is_heap_observed()) for_each_mapping(take_entries, &wanted);
}

void forget_entries(uint64_t start, uint64_t end) {
  g_entries.forget(start, end);
  forget_allocators(start, end);
}

bool is_entry(uint64_t address) {
  return g_in_functions && !g_held && g_entries.function_at(address) != FunctionEntries::kNone;
}

Plan plan_for(Mode mode) {
  Plan plan = g_plan;
  plan.mode = mode;
  plan.uninstrumented = plan.uninstrumented || mode == Mode::kUninstrumented;
  plan.held = mode == Mode::kUninstrumented && g_held ? &session()->held : nullptr;
  plan.ends_activations = mode == Mode::kCollecting && g_in_functions;
  return plan;
}

void begin_collection(Thread& thread) {
  bool held = __atomic_load_n(&g_held, __ATOMIC_RELAXED);
  thread.mode = held || g_in_functions || g_in_regions ? Mode::kUninstrumented : Mode::kCollecting;
  thread.awaits_start = held && !g_in_functions;
  thread.activation_sp = kNoActivation;
}

void inherit_collection(Thread& child, const Thread& parent, bool own_stack) {
  child.mode = g_in_regions ? Mode::kUninstrumented : parent.mode;  // a region belongs to one thread
  child.awaits_start = parent.awaits_start;
  child.activation_sp = own_stack ? kNoActivation : parent.activation_sp;
}

void set_collecting(Core& core, bool on) {
  Thread& thread = *core.thread;
  thread.mode = on ? Mode::kCollecting : Mode::kUninstrumented;
  thread.awaits_start = false;
  core.activation_sp = thread.activation_sp = kNoActivation;
}

bool obey_region(Core& core) {
  Thread& thread = *core.thread;
  const uint64_t* registers = thread.context.registers;
  if (registers[kDi] != kRegionOption || session() == nullptr) return false;
  RegionCall call;
  if (!read_region_call(registers[kSi], call)) return false;
  RegionStep step = take_region_step(*session(), call, thread.regions);
  answer_region_call(registers[kSi], step.answer);
  g_in_regions = g_in_regions || step.begins;
  if (step.begins || step.ends) set_collecting(core, step.begins);
  return true;
}

void forget_regions(Thread& thread) {
  thread.regions = 0;
  if (g_in_regions) thread.mode = Mode::kUninstrumented;
}

void follow_collection(Core& core, bool enters) {
  Thread& thread = *core.thread;
  if (__atomic_load_n(&g_held, __ATOMIC_RELAXED) && __atomic_load_n(&session()->held, __ATOMIC_RELAXED) == 0)
    end_hold();
  if (enters) return enter_function(core);
  bool starts = thread.awaits_start && !__atomic_load_n(&g_held, __ATOMIC_RELAXED);
  if (starts) set_collecting(core, true);
  if (has_left(thread.activation_sp, core.context.registers[kSp], alternate_stack(thread.signals)))
    set_collecting(core, false);
}

}  // namespace hm::soft::direct
