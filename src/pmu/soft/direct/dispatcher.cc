// SPDX-License-Identifier: MIT
// The dispatcher: when copied code is left, finds or makes the copy that comes next, and links the exit to
// it.
#include <initializer_list>

#include "pmu/soft/direct/block_trace.h"
#include "pmu/soft/direct/collection.h"
#include "pmu/soft/direct/cores.h"
#include "pmu/soft/direct/engine.h"
#include "pmu/soft/direct/give_up.h"
#include "pmu/soft/direct/invalidation.h"
#include "pmu/soft/direct/memory.h"
#include "pmu/soft/direct/processes.h"
#include "pmu/soft/direct/signal_actions.h"
#include "pmu/soft/direct/signals.h"
#include "pmu/soft/direct/superblock.h"
#include "pmu/soft/direct/system_call_numbers.h"
#include "pmu/soft/direct/translator.h"

namespace hm::soft::direct {

constinit Lock g_translation;

namespace {

// Watches the pages of `source` for writes. True where one was not watched before: its code may have changed
// since it was read.
bool watch_source(const Superblock& source) {
  bool fresh = false;
  for (unsigned i = 0; i < source.count; ++i)
    fresh |= watch_code(source.steps[i].address, source.steps[i].next());
  return fresh;
}

void read_source(uint64_t target, Mode mode, Superblock& source) {
  do {
    read_superblock(target, mode, g_plan.exact_flags, source);
  } while (watch_source(source));
}

}  // namespace

Block& block_at(uint64_t target, Mode mode) {
  if (Block* known = find_block(target, mode)) return *known;
  if (mode == Mode::kUninstrumented && is_entry(target)) {
    Plan plan = plan_for(mode);
    return *add_block(Translator(plan, arena_near(target)).translate_entry(target));
  }
  static Superblock source;
  read_source(target, mode, source);
  if (source.returns_flags && !g_plan.exact_flags) {
    // All that was copied before may lose flags that a callee returns.
    g_plan.exact_flags = true;
    forget_all_code();
    read_source(target, mode, source);
  }
  Plan plan = plan_for(mode);
  Block copy = Translator(plan, arena_near(target)).translate(source);
  if (plan.traced) trace_block(source, copy);
  return *add_block(copy);
}

namespace {

// The target of an empty entry: no code is at this address.
constexpr uint64_t kNoCode = 1;

IndirectTarget& indirect_place(Core& core, uint64_t target, Mode mode) {
  return core.indirect[static_cast<unsigned>(mode)][(target & kIndirectMask) >> 2];
}

}  // namespace

void forget_indirect_targets(Core& core) {
  for (auto& of_mode : core.indirect) {
    for (IndirectTarget& each : of_mode) each.target = kNoCode;
  }
}

void forget_indirect_target(Core& core, uint64_t target) {
  for (Mode mode : {Mode::kUninstrumented, Mode::kCollecting}) {
    IndirectTarget& each = indirect_place(core, target, mode);
    if (each.target == target) __atomic_store_n(&each.target, kNoCode, __ATOMIC_RELEASE);
  }
}

namespace {

void remember_indirect(Core& core, const Block& block) {
  indirect_place(core, block.source, block.mode) = {block.source, reinterpret_cast<uint64_t>(block.code)};
}

// The code that an indirect branch would find in the table; null where it is not there.
const uint8_t* find_remembered(Core& core) {
  const IndirectTarget& each = indirect_place(core, core.context.ip, core.thread->mode);
  return each.target == core.context.ip ? reinterpret_cast<const uint8_t*>(each.code) : nullptr;
}

// The program cannot go on. What it did until then is counted.
[[noreturn]] void cut_short(Core& core, const char* sentence) {
  Thread& thread = *core.thread;
  uint64_t ip = core.context.ip;
  release_core(core);
  end_process(thread);
  give_up(sentence, ip);
}

[[noreturn]] void meet_undecodable(Core& core) {
  uint64_t ip = core.context.ip;
  uint64_t end = executable_end(ip);
  write_notice(undecodable_notice(core.thread->pid, ip, end > ip ? end - ip : 0));
  cut_short(core, "hardmeter: the program came to an instruction that the copying engine cannot run, at");
}

// The code that comes next in `core`, which was left by `exit`; null where it would read status flags that
// were not kept.
const uint8_t* next_code(Core& core, uint32_t exit, Mode mode_left) {
  Mode mode = core.thread->mode;
  bool is_indirect = exit == kExitIndirect || exit == kExitIndirectWithFlags || exit == kExitEntry;
  if (is_indirect && mode != mode_left) {
    if (const uint8_t* code = find_remembered(core)) return code;
  }
  Guard guard(g_translation);
  if (exit >= kFirstExit) core.context.ip = target_of_exit(exit);
  Block& next = block_at(core.context.ip, mode);
  if (exit >= kFirstExit && mode == mode_left) link_exit(exit, next);
  if (exit == kExitIndirect && next.reads_flags) return nullptr;
  if (is_indirect) remember_indirect(core, next);
  return next.code;
}

}  // namespace
}  // namespace hm::soft::direct

extern "C" const uint8_t* hm_next_code(hm::soft::direct::Core* left) {
  using namespace hm::soft::direct;
  Core* core = left;
  core->context.flags &= ~kTrapFlag;
  core->thread->signals.stepping = false;
  auto exit = static_cast<uint32_t>(core->exit);
  Mode mode_left = core->thread->mode;
  if (exit == kExitUndecodable) meet_undecodable(*core);
  if (exit == kExitSystemCall) {
    if (core->context.registers[kAx] == kRtSigreturn) return_from_signal(*core);
    core = &do_system_call(*core);
  }
  if (exit == kExitYield) core = &yield_core(*core);
  follow_collection(*core, exit == kExitEntry);
  if (const uint8_t* code = next_code(*core, exit, mode_left)) return code;
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
  if (core->thread->signals.yields) core = &yield_core(*core);
  if (signal_is_due(*core->thread)) return reinterpret_cast<const uint8_t*>(hm_trap_for_signal);
  return next;
}
