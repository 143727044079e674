// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/program/collection.h"

#include "pmu/soft/direct/core/program_memory.h"
#include "pmu/soft/direct/runtime/memory.h"
#include "pmu/soft/sampling/read_file.h"
#include "pmu/soft/sampling/regions.h"

namespace hm::soft::direct {
namespace {

// Turns collection on or off for the thread that runs on the core, from its next instruction on.
void set_collecting(Core& core, bool on) {
  Thread& thread = *core.thread;
  thread.collected = on;
  thread.awaits_start = false;
  core.activation_sp = thread.activation_sp = kNoActivation;
}

}  // namespace

void Collection::take_entries(const MappedRange& range) {
  bool is_code = (range.protection & kExecutable) != 0 && range.inode != 0;
  if (is_code && !is_engine(range))
    take_entries(ReadFile<OwnMemory>(range.path), {range.start, range.end - range.start, range.offset});
}

void Collection::take_entries(const ReadFile<OwnMemory>& file, const EntryTable::Piece& piece) {
  ElfFunctions functions(file.data(), file.bytes());
  if (in_functions_) entries_.add_file(*recording_.session(), functions, piece);
  heap_.find_allocators(functions, piece);
}

void Collection::plan_copies() {
  copies_.follow_plan(plan_, held_ ? &recording_.session()->held : nullptr, in_functions_);
}

// Ends the hold of the session. Copies made until now check for the hold and ignore the entries of functions,
// so they are dropped.
void Collection::end_hold() {
  Guard guard(copies_.lock());
  if (!held_) return;
  __atomic_store_n(&held_, false, __ATOMIC_RELAXED);
  plan_copies();
  copies_.forget_all();
}

// Begins an activation. The call that led here was not collected, so the return predictor receives it here.
void Collection::enter_function(Core& core) {
  if (!entries_.enter(*recording_.session(), core.context.ip)) return;
  set_collecting(core, true);
  uint64_t sp = core.context.registers[kSp];
  core.activation_sp = core.thread->activation_sp = sp;
  uint64_t return_address = 0;
  if (read_program(sp, return_address)) core.model.predictor.call(return_address);
}

void Collection::begin() {
  Guard guard(copies_.lock());
  if (recording_.session() == nullptr) return plan_copies();
  in_functions_ = limits_functions(*recording_.session());
  held_ = recording_.session()->held != 0;
  ReadFile<OwnMemory> program("/proc/thread-self/exe");
  in_regions_ = begins_with_regions(*recording_.session(), {program.data(), program.bytes()});
  plan_copies();
}

void Collection::find_entries(uint64_t start, uint64_t end) {
  if (!in_functions_ && !heap_.is_observed()) return;
  const auto take = [](const MappedRange& range, void* collection) {
    static_cast<Collection*>(collection)->take_entries(range);
  };
  bool everywhere = start == 0 && end == ~uint64_t{0};
  everywhere ? maps_.for_each(take, this) : maps_.for_each_in(start, end, take, this);
}

void Collection::find_entries_of_file(int fd, const EntryTable::Piece& piece) {
  if (in_functions_ || heap_.is_observed()) take_entries(ReadFile<OwnMemory>(fd), piece);
}

void Collection::forget_entries(uint64_t start, uint64_t end) {
  entries_.forget(start, end);
  heap_.forget_allocators(start, end);
}

bool Collection::is_entry(uint64_t address) const {
  return in_functions_ && !held_ && entries_.function_at(address) != FunctionEntries::kNone;
}

void Collection::begin_thread(Thread& thread) const {
  bool held = __atomic_load_n(&held_, __ATOMIC_RELAXED);
  thread.collected = !held && !in_functions_ && !in_regions_;
  thread.awaits_start = held && !in_functions_;
  thread.activation_sp = kNoActivation;
}

void Collection::inherit(Thread& child, const Thread& parent, bool own_stack) const {
  child.collected = !in_regions_ && parent.collected;  // a region belongs to one thread
  child.awaits_start = parent.awaits_start;
  child.activation_sp = own_stack ? kNoActivation : parent.activation_sp;
}

bool Collection::obey_region(Core& core) {
  Thread& thread = *core.thread;
  const uint64_t* registers = thread.context.registers;
  if (registers[kDi] != kRegionOption || recording_.session() == nullptr) return false;
  RegionCall call;
  if (!read_region_call(registers[kSi], call)) return false;
  RegionStep step = take_region_step(*recording_.session(), call, thread.regions);
  answer_region_call(registers[kSi], step.answer);
  in_regions_ = in_regions_ || step.begins;
  if (step.begins || step.ends) set_collecting(core, step.begins);
  return true;
}

void Collection::forget_regions(Thread& thread) const {
  thread.regions = 0;
  if (in_regions_) thread.collected = false;
}

void Collection::follow(Core& core, bool enters) {
  Thread& thread = *core.thread;
  if (__atomic_load_n(&held_, __ATOMIC_RELAXED) &&
      __atomic_load_n(&recording_.session()->held, __ATOMIC_RELAXED) == 0)
    end_hold();
  if (enters) return enter_function(core);
  bool starts = thread.awaits_start && !__atomic_load_n(&held_, __ATOMIC_RELAXED);
  if (starts) set_collecting(core, true);
  if (has_left(thread.activation_sp, core.context.registers[kSp], alternate_stack(thread.signals)))
    set_collecting(core, false);
}

}  // namespace hm::soft::direct
