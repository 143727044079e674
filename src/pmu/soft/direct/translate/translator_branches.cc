// SPDX-License-Identifier: MIT
// Branches. Linked copies jump directly to one another. A return or an indirect branch looks up its target
// inline.
#include <initializer_list>

#include "model/cost/load_sources.h"
#include "pmu/soft/direct/core/indirect_targets.h"
#include "pmu/soft/direct/translate/flow_of_step.h"
#include "pmu/soft/direct/translate/plain_address.h"
#include "pmu/soft/direct/translate/translator.h"

namespace hm::soft::direct {
void Translator::add_to_core(Emitter& out, uint64_t field, uint32_t amount, bool flags_live) {
  if (amount == 0) return;
  if (!flags_live) return out.add(in_core(field), amount);
  out.load(kR10, in_core(field));
  out.address(kR10, {kR10, kNoReg, 1, static_cast<int32_t>(amount), false});
  out.store(in_core(field), kR10);
}

// Adds the block's counts to the core's counters; r15 is the tick.
void Translator::settle(Emitter& out, bool flags_live) {
  if (plan_.uninstrumented) return;
  if (progress_.slots != 0) out.address(kR15, {kR15, kNoReg, 1, 2 * progress_.slots, false});
  add_path_time(out, flags_live);
  if (touches()) return;
  add_to_core(out, offsetof(Core, loads), progress_.loads, flags_live);
  add_to_core(out, offsetof(Core, stores), progress_.stores, flags_live);
}

// As settle(), for code that is left before the block's end.
void Translator::settle_aside(Emitter& out, bool flags_live) {
  uint32_t added = added_time_;
  settle(out, flags_live);
  added_time_ = added;
}

// Determines the time of the path from the block's beginning to the current step. It does not decrease along
// the path.
void Translator::time_path() {
  if (timed_steps_ == step_number_ + 1 || block_->count == 0) return;
  for (; timed_steps_ <= step_number_; ++timed_steps_) {
    const Instruction& instruction = block_->steps[timed_steps_].instruction;
    const Instruction* before = timed_steps_ == 0 ? nullptr : &block_->steps[timed_steps_ - 1].instruction;
    path_[timed_steps_] = flow_of(instruction, before);
    bool jumps = instruction.flow != Flow::kNone && instruction.flow != Flow::kConditionalJump;
    path_[timed_steps_].branches = jumps;
  }
  model::FlowInstruction& last = path_[step_number_];
  bool in_between = last.branches;
  last.branches = block_->steps[step_number_].instruction.flow != Flow::kNone;
  uint64_t time = model::time_of_path(plan_.pipeline, path_, timed_steps_);
  last.branches = in_between;
  constexpr uint64_t kMost = INT32_MAX;
  if (time > path_time_) path_time_ = static_cast<uint32_t>(time < kMost ? time : kMost);
}

// Called behind the block's last step. The path from its beginning to its end is taken for a loop.
void Translator::add_address_sources() {
  if (block_->count == 0) return;
  time_path();
  uint64_t sources[Superblock::kMaxSteps] = {};
  model::find_load_sources(path_, block_->count, sources);
  for (unsigned i = 0; i < block_->count; ++i) {
    if (sites_[i] == 0 || sources[i] == 0) continue;
    AddressSources found{.site = sites_[i]};
    unsigned known = 0;
    // From the step before backwards, through the pass before, to this step itself.
    for (unsigned back = 1; back <= block_->count && known < AddressSources::kMost; ++back) {
      unsigned from = (i + block_->count - back) % block_->count;
      if ((sources[i] >> from & 1) != 0 && sites_[from] != 0) found.from[known++] = sites_[from];
    }
    if (known != 0) program_.add_address_sources(found);
  }
}

// Adds the path's time, as far as it has not been added, to the core's work.
void Translator::add_path_time(Emitter& out, bool flags_live) {
  if (!plan_.times_paths) return;
  time_path();
  constexpr uint64_t kWork = offsetof(Core, model.costs) + CoreCosts::work_offset();
  add_to_core(out, kWork, path_time_ - added_time_, flags_live);
  added_time_ = path_time_;
}

void Translator::leave(Emitter& out, uint32_t exit) {
  out.move(kR10, uint64_t{exit});
  out.jump(in_core(offsetof(Core, thunks) + kLeave * sizeof(void*)));
}

// Makes the jump that ends at `end` an exit to `target`: it leads to the dispatcher until that block exists.
void Translator::lead(uint8_t* end, uint64_t target) {
  // A loop within one line fetches no other line: its line and page stay the most recently used. (This does
  // not apply to touching copies, which must renew the line's stamp.)
  bool in_line = target == source_ && lines_ == 1 && !touches() && !checks_source_;
  uint32_t exit =
      cache_.add_exit({target, end, cold_.here(), in_line ? code_ : nullptr, in_line ? body_ : 0});
  Block* block = cache_.find_block(target, plan_.mode);
  Emitter::land(end, cold_.here());
  leave(cold_, exit);
  if (block != nullptr) cache_.link_exit(exit, *block);
}

// A function that calls itself returns at some point, and returns, like all indirect branches, are checked.
bool Translator::may_be_loop(uint64_t target) const {
  return target <= step_->address && step_->instruction.flow != Flow::kCall;
}

// Called at a possible end of a loop. Emits a jump that is taken if the thread may have to run other copies.
uint8_t* Translator::leave_when_due(Emitter& out) {
  return plan_.looks_at_tick() ? leave_to_switch(out) : leave_unless_held(out);
}

// Emits a jump that is taken once the session is no longer held. Returns the end of the jump's displacement.
// r10 changes.
uint8_t* Translator::leave_unless_held(Emitter& out) {
  emit_constant(out, kR10, reinterpret_cast<uint64_t>(plan_.held));
  out.load32(kR10, {kR10, kNoReg, 1, 0, false});
  out.test32(kR10);
  return out.jump_if(Condition::kEqual);
}

void Translator::go_to(Emitter& out, uint64_t target, bool flags_live) {
  if (plan_.mode == Mode::kSampling) {
    emit_constant(out, kR10, target);
    out.store(in_core(offsetof(Core, context.ip)), kR10);
    return leave(out, kExitElsewhere);
  }
  uint8_t* due = nullptr;
  if (may_leave() && may_be_loop(target)) {
    if (flags_live) hold_flags(out);
    due = leave_when_due(out);
    if (flags_live) release_flags(out);
  }
  out.align_displacement(1);
  uint8_t* end = out.jump();
  if (due != nullptr) {
    Emitter::land(due, cold_.here());
    if (flags_live) release_flags(cold_);
  }
  lead(end, target);
}

// Returns true if r10 still is the target of the block's last branch, because the code behind its load has
// not changed r10. Otherwise the target is in core.context.ip.
bool Translator::keeps_target() const {
  return touches() && plan_.looks_at_tick() && step_->instruction.flow != Flow::kIndirectCall;
}

void Translator::target_to_core(Emitter& out) { out.store(in_core(offsetof(Core, context.ip)), kR10); }

// Emits a branch to the address in core.context.ip, or in r10 (keeps_target()).
void Translator::go_to_indirect(bool flags_live) {
  if (plan_.mode == Mode::kSampling) return leave_indirect(hot_, flags_live);
  if (flags_live) hold_flags(hot_);
  uint64_t table = offsetof(Core, indirect) + static_cast<unsigned>(plan_.mode) * sizeof(Core::indirect[0]);
  uint8_t* due = nullptr;
  uint8_t* left = nullptr;
  if (may_leave()) due = leave_when_due(hot_);
  if (plan_.ends_activations) {
    hot_.compare(kSp, in_core(offsetof(Core, activation_sp)));
    left = hot_.jump_if(Condition::kAbove);
  }
  if (!keeps_target()) hot_.load(kR10, in_core(offsetof(Core, context.ip)));
  hot_.move32(kR11, kR10);
  hot_.and32(kR11, kIndirectMask);
  hot_.compare(kR10, in_core(table, kR11, kIndirectScale));
  uint8_t* miss = hot_.jump_if(Condition::kNotEqual);
  if (flags_live) release_flags(hot_);
  hot_.jump(in_core(table + offsetof(IndirectTarget, code), kR11, kIndirectScale));
  if (flags_live) miss = look_for_flags_reader(miss, table);
  for (uint8_t* each : {due, left, flags_live ? nullptr : miss}) {
    if (each != nullptr) Emitter::land(each, cold_.here());
  }
  if (keeps_target()) target_to_core(cold_);
  if (flags_live) Emitter::land(miss, cold_.here());
  if (flags_live) release_flags(cold_);
  leave_indirect(cold_, flags_live);
}

// The dispatcher looks up the address in core.context.ip.
void Translator::leave_indirect(Emitter& out, bool flags_live) {
  emit_constant(out, kR10, step_->address);
  out.store(in_core(offsetof(Core, branch)), kR10);
  leave(out, flags_live ? kExitIndirectWithFlags : kExitIndirect);
}

// Emits a second lookup, which finds targets with code that reads status flags. The jump that ends at `miss`
// leads to it. On entry, r10 is the target and r11 its index. Returns the end of the jump for a second miss.
uint8_t* Translator::look_for_flags_reader(uint8_t* miss, uint64_t table) {
  Emitter::land(miss, cold_.here());
  if (keeps_target()) target_to_core(cold_);
  cold_.set_bit(kR10, kReadsFlagsBit);
  cold_.compare(kR10, in_core(table, kR11, kIndirectScale));
  uint8_t* missed_again = cold_.jump_if(Condition::kNotEqual);
  release_flags(cold_);
  cold_.jump(in_core(table + offsetof(IndirectTarget, code), kR11, kIndirectScale));
  return missed_again;
}

void Translator::conditional_jump(const Step& each) {
  leave_straight_line(each.flags_live);
  uint64_t target = each.instruction.target;
  auto condition = static_cast<Condition>(each.instruction.condition);
  bool is_plain = (plan_.uninstrumented || touches()) && (!may_leave() || !may_be_loop(target));
  if (!is_plain) return leave_where_taken(each, hot_.jump_if(condition));
  settle(hot_, true);
  progress_ = {};
  hot_.align_displacement(2);
  lead(hot_.jump_if(condition), target);
}

// Emits a loop or jrcxz around a near jump, because these instructions reach only 127 bytes.
void Translator::counted_jump(const Step& each) {
  leave_straight_line(each.flags_live);
  constexpr uint8_t kShortJump = 0xeb, kNearJumpBytes = 5, kShortJumpBytes = 2;
  const auto* bytes = reinterpret_cast<const uint8_t*>(each.address);
  hot_.bytes(bytes, each.instruction.length - 1u);
  hot_.byte(kShortJumpBytes);
  hot_.code(kShortJump, kNearJumpBytes);
  leave_where_taken(each, hot_.jump());
}

// If `jump` is taken, it leaves the block through cold code; the block continues behind it.
void Translator::leave_where_taken(const Step& each, uint8_t* jump) {
  Emitter::land(jump, cold_.here());
  // Cold code is written contiguously: the exit's own stub follows the jump to it.
  predict_condition(cold_, true, each.target_flags_live);
  record_branch_into(cold_, each, BranchKind::kConditional, each.instruction.target);
  settle(cold_, each.target_flags_live);
  go_to(cold_, each.instruction.target, each.target_flags_live);
  predict_condition(hot_, false, flags_live_behind_);
}

void Translator::push_return_address(const Step& each) {
  access(kPushOfReturnAddress, each.flags_live);
  uint64_t address = each.next();
  if (address == static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(address)))) {
    hot_.byte(0x68);  // push imm32, sign-extended
    hot_.word32(static_cast<uint32_t>(address));
    return;
  }
  emit_constant(hot_, kR10, address);
  hot_.push(kR10);
}

// Emits no jump: the block continues at the jump's target.
void Translator::jump(const Step& each) {
  leave_straight_line(each.flags_live);
  record_branch_into(hot_, each, BranchKind::kJump, each.instruction.target);
}

void Translator::call(const Step& each) {
  push_return_address(each);
  leave_straight_line(each.flags_live);
  predict(BranchKind::kCall, each.flags_live);
  record_branch_into(hot_, each, BranchKind::kCall, each.instruction.target);
  settle(hot_, each.flags_live);
  go_to(hot_, each.instruction.target, each.flags_live);
}

// Emits: r10 and, unless keeps_target(), core.context.ip = the target of an indirect call or jump.
void Translator::take_target(const Step& each) {
  const Instruction& instruction = each.instruction;
  bool from_memory = instruction.access_count != 0 && instruction.accesses[0].loads;
  if (from_memory) {
    access(instruction.accesses[0], each.flags_live);
    emit_load(hot_, kR10, prepare_operand(hot_, instruction.accesses[0]));
  } else {
    emit_register(hot_, kR10, static_cast<Reg>(instruction.field(Field::kRm).number));
  }
  if (!keeps_target()) target_to_core(hot_);
}

void Translator::indirect_call(const Step& each) {
  take_target(each);
  push_return_address(each);
  leave_to_target(each, BranchKind::kIndirectCall);
}

void Translator::indirect_jump(const Step& each) {
  take_target(each);
  leave_to_target(each, BranchKind::kIndirectJump);
}

void Translator::ret(const Step& each) {
  accesses(each);
  hot_.pop(kR10);
  if (!keeps_target()) target_to_core(hot_);
  if (each.instruction.immediate != 0) {
    hot_.address(kSp, {kSp, kNoReg, 1, static_cast<int32_t>(each.instruction.immediate), false});
  }
  leave_to_target(each, BranchKind::kReturn);
}

// Ends the block with a branch to core.context.ip.
void Translator::leave_to_target(const Step& each, BranchKind kind) {
  leave_straight_line(each.flags_live);
  predict(kind, each.flags_live);
  record_branch_into(hot_, each, kind, 0);
  settle(hot_, each.flags_live);
  go_to_indirect(each.flags_live);
}

void Translator::system_call(const Step& each) {
  report_clock(each.flags_live);
  settle(hot_, true);
  emit_constant(hot_, kR10, each.next());
  hot_.store(in_core(offsetof(Core, context.ip)), kR10);
  leave(hot_, kExitSystemCall);
}

// Records a branch to `target`, or to core.context.ip if `target` is 0. Preserves flags.
void Translator::record_branch_into(Emitter& out, const Step& each, BranchKind kind, uint64_t target) {
  if (plan_.uninstrumented || !plan_.demand.records(kind)) return;
  constexpr uint64_t kRing = offsetof(Core, branches);
  out.load8(kR10, in_core(kRing + offsetof(BranchRing, next)));
  out.address(kR11, {kR10, kNoReg, 1, 1, false});
  out.store8(in_core(kRing + offsetof(BranchRing, next)), kR11);
  out.store32(in_core(kRing + offsetof(BranchRing, sites), kR10, sizeof(uint32_t)),
              program_.add_branch_site(each.address, target));
  if (target != 0) return;
  out.load(kR11, in_core(offsetof(Core, context.ip)));
  out.store(in_core(kRing + offsetof(BranchRing, targets), kR10, sizeof(uint64_t)), kR11);
}

}  // namespace hm::soft::direct
