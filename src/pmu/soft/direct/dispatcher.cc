// SPDX-License-Identifier: MIT
// The dispatcher: when copied code is left, finds or makes the copy that comes next, and links the exit to
// it.

#include "pmu/soft/direct/core/indirect_targets.h"
#include "pmu/soft/direct/core/switch.h"
#include "pmu/soft/direct/emulate/leaving.h"
#include "pmu/soft/direct/emulate/native_step.h"
#include "pmu/soft/direct/emulate/processes.h"
#include "pmu/soft/direct/emulate/signal_actions.h"
#include "pmu/soft/direct/emulate/system_calls.h"
#include "pmu/soft/direct/emulate/target_state.h"
#include "pmu/soft/direct/emulate/traced_calls.h"
#include "pmu/soft/direct/process/attachment.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/give_up.h"

namespace hm::soft::direct {

namespace {

void remember_indirect(Core& core, const Block& block) {
  indirect_place(core, block.source, block.mode) = {block.source, reinterpret_cast<uint64_t>(block.code)};
}

// The code that an indirect branch would find in the table; null where it is not there.
const uint8_t* find_remembered(Core& core) {
  const IndirectTarget& each = indirect_place(core, core.context.ip, mode_of(core));
  return each.target == core.context.ip ? reinterpret_cast<const uint8_t*>(each.code) : nullptr;
}

// The program cannot go on. What it did until then is counted.
[[noreturn]] void cut_short(Core& core, const char* sentence) {
  Thread& thread = *core.thread;
  uint64_t ip = core.context.ip;
  g_process.cores.release(core);
  end_process(thread);
  give_up(sentence, ip);
}

// The thread goes on natively with what comes next.
[[noreturn]] void leave_at(Core& core, uint32_t exit) {
  if (exit >= kFirstExit) {
    Guard guard(g_process.copies.lock());
    core.context.ip = g_process.copies.cache().target_of_exit(exit);
  }
  leave(core);
}

void leave_before_it_is_full() {
  bool is_full = g_process.copies.cache().is_nearly_full() || g_process.space.is_incomplete();
  if (!is_full || !can_leave()) return;
  let_process_go(LeaveReason::kTooMuchCode);
}

// A thread that runs natively may have mapped it.
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

// What comes next in a core.
struct Next {
  const uint8_t* code;  // a copy; null if there is none
  bool loses_flags;     // there is one, but it reads status flags that were not kept
};

// `mode_left`: how the code was copied that the core was left from. Makes the copy if there is none.
Next copy_of_next(Core& core, uint32_t exit, Mode mode, Mode mode_left) {
  Guard guard(g_process.copies.lock());
  if (exit >= kFirstExit) core.context.ip = g_process.copies.cache().target_of_exit(exit);
  bool changes_often = exit == kExitStale && !g_process.copies.renew_block_at(core.context.ip);
  if (is_traced(core) || exit == kExitTrapFlag || changes_often || !is_code(core.context.ip)) return {};
  g_process.copying_for = &core;
  Block& next = g_process.copies.block_at(core.context.ip, mode);
  g_process.copying_for = nullptr;
  if (next.is_undecodable) return {};
  leave_before_it_is_full();
  if (exit >= kFirstExit && mode == mode_left) g_process.copies.cache().link_exit(exit, next);
  if (exit == kExitIndirect && next.reads_flags) return {nullptr, true};
  if (is_indirect(exit)) remember_indirect(core, next);
  return {next.code, false};
}

// The code that comes next in `core`, which was left by `exit`; null where it would read status flags that
// were not kept.
const uint8_t* next_code(Core& core, uint32_t exit) {
  Mode mode = mode_of(core), mode_left = core.thread->running;
  core.thread->running = mode;
  if (mode != mode_left) g_process.cores.follow_mode(core);
  if (is_to_leave(core)) leave_at(core, exit);
  if (is_indirect(exit) && mode != mode_left && !is_traced(core)) {
    if (const uint8_t* code = find_remembered(core)) return code;
  }
  Next next = copy_of_next(core, exit, mode, mode_left);
  if (next.code != nullptr || next.loses_flags) return next.code;
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
  if (is_traced(*core)) core = &run_traced_system_calls(*core);
  if (exit == kExitYield) core = &g_process.cores.yield(*core);
  g_process.collection.follow(*core, exit == kExitEntry);
  g_process.bursts.follow(*core);
  g_process.cores.pace().follow(*core);
  if (const uint8_t* code = next_code(*core, exit)) return code;
  cut_short(*core,
            "hardmeter: the program passes status flags into or out of a function, which the copying engine "
            "does not "
            "expect; --engine=valgrind can run it; the function or its return address:");
}

// Called where Core::attention is set before copied code continues at core.resume.
extern "C" const uint8_t* hm_attend(hm::soft::direct::Core* core) {
  using namespace hm::soft::direct;
  const auto* next = reinterpret_cast<const uint8_t*>(core->resume);
  core->attention = 0;
  core->thread->signals.stepping = false;
  if (core->thread->signals.yields) core = &g_process.cores.yield(*core);
  if (mode_of(*core) != core->thread->running || is_to_leave(*core)) next = next_code(*core, kExitElsewhere);
  if (signal_is_due(core->thread->signals)) return reinterpret_cast<const uint8_t*>(hm_trap_for_signal);
  return next;
}
