// SPDX-License-Identifier: MIT
// Events that every instruction, access or branch may cause. Copied code counts them only if the session
// requires them.
#include <initializer_list>

#include "pmu/soft/direct/core/core_offsets.h"
#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/translate/translator.h"

namespace hm::soft::direct {
namespace {

using event::EventId;
using DataKind = record::AccessKind;
using model::BranchPredictor;

// Offsets of the return stack in the core.
constexpr uint64_t kReturnStack = offsetof(Core, model.predictor) + BranchPredictor::returns_offset();
constexpr uint64_t kReturnStackTop = offsetof(Core, model.predictor) + BranchPredictor::top_offset();
constexpr int32_t kBytesPerReturn = BranchPredictor::kBytesPerReturn;

uint64_t further_uops_of(const InstructionClass& kind, const Instruction& instruction) {
  uint32_t loads = 0, stores = 0;
  for (unsigned i = 0; i < instruction.access_count; ++i) {
    const Access& each = instruction.accesses[i];
    if (each.loads) loads += each.count;
    if (each.stores) stores += each.count;
  }
  return further_uops(kind, loads, stores);
}

}  // namespace

// Counts a repeated string instruction as if it had no repetitions.
void Translator::count_instruction() {
  const Demand& demand = plan_.demand;
  const Instruction& instruction = step_->instruction;
  if (demand.instructions) count_down(EventId::kInstrRetired, 1, step_->flags_live);
  if (!demand.uops && !demand.simd) return;
  kind_ = instruction.kind;
  if (demand.uops) {
    bool repeats =
        instruction.string_operation != StringOperation::kNone && instruction.repeat != Repeat::kNone;
    uint64_t uops = 1 + (repeats ? 0 : further_uops_of(kind_, instruction));
    count_down(EventId::kUopRetired, static_cast<uint32_t>(uops), step_->flags_live);
  }
  for (const SimdEvent& each : kSimdEvents) {
    if (each.simd == kind_.simd && plan_.counted[event::index_of(each.id)])
      count_down(each.id, 1, step_->flags_live);
  }
}

// Counts a counter down. The code that follows runs only if a sample is due. Otherwise a jump leads past it;
// the function returns the end of the jump's displacement.
uint8_t* Translator::count_down_in_place(EventId id, uint32_t events) {
  auto remaining = static_cast<int32_t>(offsetof(Thread, counters) + Counters::remaining_offset(id));
  hot_.load(kR10, in_core(offsetof(Core, thread)));
  hot_.subtract({kR10, kNoReg, 1, remaining, false}, static_cast<uint8_t>(events));
  return hot_.jump_if(Condition::kGreater);
}

void Translator::count_down(EventId id, uint32_t events, bool flags_live) {
  if (flags_live) save_flags(hot_);
  uint8_t* not_due = count_down_in_place(id, events);
  hot_.move(kR11, uint64_t{event::index_of(id) | 2u * progress_.slots << ACCESS_BITS});
  call_thunk(hot_, kOverflow);
  Emitter::land(not_due, hot_.here());
  if (flags_live) restore_flags(hot_);
}

// Handles events that need every access: the store buffer, caches of all sizes, and sampled memory events.
void Translator::watch(const Access& each, AccessInfo info, bool flags_live) {
  const Demand& demand = plan_.demand;
  if (!demand.every_access()) return;
  if (flags_live) save_flags(hot_);
  if (demand.store_buffer) call_data(hot_, kStoreBuffer, each, info);
  if (demand.sizes) call_data(hot_, kSizes, each, info);
  bool is_store = info.kind() == DataKind::kStore;
  for (EventId id : {is_store ? EventId::kMemoryStores : EventId::kMemoryLoads, EventId::kMemoryMoves}) {
    if (!plan_.sampled[event::index_of(id)]) continue;
    uint8_t* not_due = count_down_in_place(id, 1);
    call_data(hot_, kMemory, each, info);
    Emitter::land(not_due, hot_.here());
  }
  if (flags_live) restore_flags(hot_);
}

// Called at a branch, before its target is known.
void Translator::leave_straight_line(bool flags_live) {
  if (plan_.uninstrumented) return;
  add_path_time(hot_, flags_live);
  if (plan_.demand.branches) count_down(EventId::kBranchRetired, 1, flags_live);
  report_clock(flags_live);
}

// Predicts a branch without a condition. core.context.ip is the target of an indirect one.
void Translator::predict(BranchKind kind, bool flags_live) {
  if (plan_.uninstrumented || !plan_.demand.predictor) return;
  if (kind == BranchKind::kCall || kind == BranchKind::kReturn) {
    if (!plan_.demand.predicts_returns) return;
    return kind == BranchKind::kCall ? push_predicted_return() : predict_return(flags_live);
  }
  uint32_t length = uint32_t{step_->instruction.length} << BRANCH_LENGTH_SHIFT;
  call_about_branch(hot_, kBranch, static_cast<uint32_t>(kind) | length, flags_live);
}

// Emits BranchPredictor::call(). Preserves flags.
void Translator::push_predicted_return() {
  hot_.load8(kR10, in_core(kReturnStackTop));
  hot_.address(kR10, {kR10, kNoReg, 1, kBytesPerReturn, false});
  hot_.store8(in_core(kReturnStackTop), kR10);
  hot_.move8(kR10, kR10);
  emit_constant(hot_, kR11, step_->next());
  hot_.store(in_core(kReturnStack, kR10, 1), kR11);
}

// Emits BranchPredictor::ret() for a right prediction. After a wrong one, the stack is unchanged when copied
// code calls the predictor.
void Translator::predict_return(bool flags_live) {
  if (flags_live) save_flags(hot_);
  hot_.load8(kR10, in_core(kReturnStackTop));
  hot_.load(kR11, in_core(offsetof(Core, context.ip)));
  hot_.compare(kR11, in_core(kReturnStack, kR10, 1));
  Emitter::land(hot_.jump_if(Condition::kNotEqual), cold_.here());
  hot_.address(kR10, {kR10, kNoReg, 1, -kBytesPerReturn, false});
  hot_.store8(in_core(kReturnStackTop), kR10);
  call_about_branch(cold_, kBranch, static_cast<uint32_t>(BranchKind::kReturn), false);
  cold_.jump_to(hot_.here());
  if (flags_live) restore_flags(hot_);
}

// Calls the branch predictor at a side of a conditional branch, unless the branch has gone there for long.
// Code at the hot side is kept short; code at the cold side is contiguous.
void Translator::predict_condition(Emitter& out, bool taken, bool flags_live) {
  if (plan_.uninstrumented || !plan_.demand.predictor) return;
  using model::BranchStreaks;
  uint64_t ip = step_->address;
  constexpr uint64_t kStreaks = offsetof(Core, filters.streaks);
  auto what = static_cast<uint32_t>(BranchKind::kConditional) | (taken ? 1u << BRANCH_TAKEN_SHIFT : 0);
  if (flags_live) save_flags(out);
  out.load16(kR10, in_core(kStreaks + BranchStreaks::index_of(ip) * sizeof(uint16_t)));
  out.compare32(kR10, BranchStreaks::long_streak(ip, taken));
  uint8_t* known = out.jump_if(&out == &hot_ ? Condition::kNotEqual : Condition::kEqual);
  if (&out == &hot_) Emitter::land(known, cold_.here());
  uint8_t* added = plan_.demand.in_windows ? add_mean_cost_between_windows(taken) : nullptr;
  call_about_branch(cold_, kBranch, what, false);
  if (added != nullptr) Emitter::land(added, cold_.here());
  if (&out == &hot_)
    cold_.jump_to(hot_.here());
  else
    Emitter::land(known, cold_.here());
  if (flags_live) restore_flags(out);
}

// Between windows of predictions, adds the branch's mean cost to the core's, and counts the outcome for
// its streak as BranchStreaks::count() does. r10 is the branch's entry of streaks. Returns the jump that is
// taken then; in a window, the code continues behind it.
uint8_t* Translator::add_mean_cost_between_windows(bool taken) {
  using model::BranchStreaks;
  constexpr uint64_t kTable = offsetof(Core, filters.branch_costs);
  constexpr uint64_t kMeans = kTable + offsetof(model::BranchCostTable, means);
  uint64_t ip = step_->address;
  uint32_t index = BranchStreaks::index_of(ip), first = BranchStreaks::first_of_streak(ip, taken);
  cold_.subtract(in_core(kTable + offsetof(model::BranchCostTable, until_window)), 1);
  uint8_t* predicts = cold_.jump_if(Condition::kLess);
  cold_.compare32(kR10, BranchStreaks::long_streak(ip, !taken));
  cold_.move(kR11, uint64_t{plan_.mispredict});
  uint8_t* ends_streak = cold_.jump_if(Condition::kEqual);
  cold_.load32(kR11, in_core(kMeans + index * sizeof(uint32_t)));
  Emitter::land(ends_streak, cold_.here());
  cold_.add(in_core(offsetof(Core, model.costs) + CoreCosts::branch_work_offset()), kR11);
  cold_.move32(kR11, kR10);
  cold_.shift_right32(kR11, BranchStreaks::kCountBits);
  cold_.compare32(kR11, first >> BranchStreaks::kCountBits);
  cold_.address(kR10, {kR10, kNoReg, 1, 1, false});
  uint8_t* goes_on = cold_.jump_if(Condition::kEqual);
  cold_.move(kR10, uint64_t{first});
  Emitter::land(goes_on, cold_.here());
  cold_.store16(in_core(offsetof(Core, filters.streaks) + index * sizeof(uint16_t)), kR10);
  uint8_t* added = cold_.jump();
  Emitter::land(predicts, cold_.here());
  return added;
}

void Translator::report_clock(bool flags_live) {
  if (plan_.uninstrumented || !plan_.demand.clock) return;
  add_path_time(hot_, flags_live);
  call_about_branch(hot_, kClock, 0, flags_live);
}

void Translator::call_about_branch(Emitter& out, Thunk thunk, uint32_t what, bool flags_live) {
  if (flags_live) save_flags(out);
  emit_constant(out, kR10, step_->address);
  out.move(kR11, uint64_t{what | 2u * progress_.slots << ACCESS_BITS});
  call_thunk(out, thunk);
  if (flags_live) restore_flags(out);
}

}  // namespace hm::soft::direct
