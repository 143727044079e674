// SPDX-License-Identifier: MIT
// The dispatcher. When copied code has been left, it finds or makes the copy that comes next, and links the
// exit to that copy.

#include "base/thread_safety.h"
#include "pmu/soft/direct/core/frequent_events.h"
#include "pmu/soft/direct/core/indirect_targets.h"
#include "pmu/soft/direct/core/switch.h"
#include "pmu/soft/direct/emulate/defined_instructions.h"
#include "pmu/soft/direct/emulate/invariants.h"
#include "pmu/soft/direct/emulate/leaving.h"
#include "pmu/soft/direct/emulate/native_step.h"
#include "pmu/soft/direct/emulate/restart_areas.h"
#include "pmu/soft/direct/emulate/signal_actions.h"
#include "pmu/soft/direct/emulate/system_calls.h"
#include "pmu/soft/direct/emulate/target_state.h"
#include "pmu/soft/direct/emulate/traced_calls.h"
#include "pmu/soft/direct/process/attachment.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/check.h"

namespace hm::soft::direct {

namespace {

void remember_indirect(Core& core, const Block& block) {
  uint64_t target = block.reads_flags ? block.source | kReadsFlags : block.source;
  indirect_place(core, block.source, block.mode) = {target, reinterpret_cast<uint64_t>(block.code)};
}

// Searches the table as an indirect branch that does not preserve flags does. Returns null if the target is
// not in the table.
const uint8_t* find_remembered(Core& core) {
  const IndirectTarget& each = indirect_place(core, core.context.ip, mode_of(core));
  return each.target == core.context.ip ? reinterpret_cast<const uint8_t*>(each.code) : nullptr;
}

// Returns the copy of the code at core.context.ip, which was reached by a branch that did not preserve the
// flags. If that code reads flags, it nearly always ignores them (it saves them, or repeats a string
// instruction zero times). The lost flags cannot be restored; all branches preserve flags from now on.
Block& copy_behind_lost_flags(Core& core, Mode mode) HM_REQUIRES(g_process.copies.lock()) {
  Block& next = g_process.copies.block_at(core.context.ip, mode);
  if (!next.reads_flags) return next;
  __atomic_fetch_add(&session()->lost_flags, 1, __ATOMIC_RELAXED);
  g_process.copies.keep_all_flags();
  return g_process.copies.block_at(core.context.ip, mode);
}

// The thread continues natively at the target of the exit. If its stack pointer points to no stack now, runs
// one instruction after the other until it does; returns the code that does so. A system call is the
// engine's, and returns null.
const uint8_t* leave_at(Core& core, uint32_t exit) {
  if (exit >= kFirstExit) {
    Guard guard(g_process.copies.lock());
    core.context.ip = g_process.copies.cache().target_of_exit(exit);
  }
  if (has_stack(core.context)) leave(core);
  return is_at_system_call(core) ? nullptr : begin_native_step(core);
}

void leave_before_it_is_full() HM_REQUIRES(g_process.copies.lock()) {
  bool is_full = g_process.copies.cache().is_nearly_full() || g_process.space.is_incomplete();
  if (!is_full || !can_leave()) return;
  let_process_go(LeaveReason::kTooMuchCode);
}

// Records executable memory that a thread running natively may have mapped.
void learn_of_code() {
  if (!can_leave()) return;
  g_process.maps.for_each(
      [](const MappedRange& range, void*) {
        bool is_engines = is_engine(range) || in_copied_code(range.start);
        bool is_new = !is_engines && (range.protection & kExecutable) != 0 &&
                      g_process.space.executable_end(range.start) == 0;
        if (!is_new) return;
        g_process.space.set_executable(range.start, range.end, true, (range.protection & kWritable) != 0);
        g_process.space.set_shared(range.start, range.end, range.shared);
      },
      nullptr);
}

bool is_indirect(uint32_t exit) {
  return exit == kExitIndirect || exit == kExitIndirectWithFlags || exit == kExitEntry;
}

bool is_code(uint64_t ip) {
  if (g_process.space.executable_end(ip) == 0) learn_of_code();
  return g_process.space.executable_end(ip) != 0;
}

// Returns the copy that comes next in a core, making it if needed; null if there is none. `mode_left` is the
// mode of the copy that the core was left from.
const uint8_t* copy_of_next(Core& core, uint32_t exit, Mode mode, Mode mode_left) {
  Guard guard(g_process.copies.lock());
  if (exit >= kFirstExit) core.context.ip = g_process.copies.cache().target_of_exit(exit);
  bool changes_often = exit == kExitStale && !g_process.copies.renew_block_at(core.context.ip);
  if (is_traced(core) || exit == kExitTrapFlag || changes_often || !is_code(core.context.ip)) return nullptr;
  g_process.copying_for = &core;
  Block& next = exit == kExitIndirect ? copy_behind_lost_flags(core, mode)
                                      : g_process.copies.block_at(core.context.ip, mode);
  g_process.copying_for = nullptr;
  check(next.source == core.context.ip && next.mode == mode && !next.dropped,
        "the copy that runs next is that of the next instruction");
  if (next.is_undecodable) return nullptr;
  leave_before_it_is_full();
  if (exit >= kFirstExit && mode == mode_left) g_process.copies.cache().link_exit(exit, next);
  if (is_indirect(exit)) remember_indirect(core, next);
  return next.code;
}

// Returns the code that comes next in `core`, which was left through `exit`.
const uint8_t* next_code(Core& core, uint32_t exit) {
  Mode mode = mode_of(core), mode_left = core.thread->running;
  core.thread->running = mode;
  if (mode != mode_left) g_process.cores.follow_mode(core);
  if (is_to_leave(core)) {
    if (const uint8_t* step = leave_at(core, exit)) return step;
  }
  if (is_indirect(exit) && mode != mode_left && !is_traced(core)) {
    if (const uint8_t* code = find_remembered(core)) return code;
  }
  if (const uint8_t* copy = copy_of_next(core, exit, mode, mode_left)) return copy;
  if (exit == kExitIndirect || exit == kExitIndirectWithFlags) undo_invalid_branch(core);
  return begin_native_step(core);
}

}  // namespace
}  // namespace hm::soft::direct

extern "C" const uint8_t* hm_next_code(hm::soft::direct::Core* left) {
  using namespace hm::soft::direct;
  Core* core = left;
  core->context.flags &= ~kTrapFlag;
  core->thread->signals.stepping = false;
  auto exit = static_cast<uint32_t>(core->exit);
  if (exit == kExitSystemCall) core = &do_system_call(*core);
  if (exit == kExitDefined) run_defined_instruction(*core);
  if (is_traced(*core)) core = &run_traced_system_calls(*core);
  if (exit == kExitYield) core = &g_process.cores.yield(*core);
  g_process.collection.follow(*core, exit == kExitEntry);
  g_process.bursts.follow(*core);
  g_process.cores.pace().follow(*core);
  g_process.threads.settle_if_due(*core);
  follow_samples(*core, exit == kExitSample);
  learn_begun_sequence(*core->thread);
  const uint8_t* next = next_code(*core, exit);
  check_before_program(*core);
  return next;
}

// Called if Core::attention is set before copied code continues at core.resume.
extern "C" const uint8_t* hm_attend(hm::soft::direct::Core* core) {
  using namespace hm::soft::direct;
  const auto* next = reinterpret_cast<const uint8_t*>(core->resume);
  core->attention = 0;
  core->thread->signals.stepping = false;
  if (core->thread->signals.yields) core = &g_process.cores.yield(*core);
  // A thread takes the signal before it leaves.
  check_before_program(*core);
  if (signal_is_due(core->thread->signals)) return reinterpret_cast<const uint8_t*>(hm_trap_for_signal);
  bool is_other_code = mode_of(*core) != core->thread->running || is_to_leave(*core);
  return is_other_code ? next_code(*core, kExitElsewhere) : next;
}
