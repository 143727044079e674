// SPDX-License-Identifier: MIT
// Groups of accesses. Successive accesses with the same address registers are mostly to one line. The first
// access is checked in full. For each further access, it suffices to check its offset in the line, and for
// the first store, also whether the line may be written. The last access writes the stamp for all.
//
// While a group is open, r10 and r11 hold the values of the last check. A check that had to call the model
// leaves values with which the next access does not pass. They refer to a stamp that is never read
// (switch.S).
#include "pmu/soft/direct/translate/plain_address.h"
#include "pmu/soft/direct/translate/translator.h"

namespace hm::soft::direct {
// Returns true if a check of the current step may leave its stamp to a later check: nothing else is inserted
// before instructions, and this instruction's copy does not change r10 and r11.
bool Translator::may_group(bool flags_live) const {
  const Demand& demand = plan_.demand;
  bool alone = !demand.instructions && !demand.uops && !demand.simd && !demand.every_access();
  const Instruction& instruction = step_->instruction;
  return alone && !flags_live && instruction.flow == Flow::kNone && leaves_scratch_alone(instruction);
}

bool Translator::joins(const Access& each) const {
  int64_t away = each.displacement - group_.displacement;
  return group_.open && away == static_cast<int32_t>(away) && group_.beside && names_plain_address(each) &&
         each.base == group_.base && each.index == group_.index && each.scale == group_.scale &&
         each.bytes <= plan_.line_bytes && each.bytes != 0;
}

void Translator::open_group(const Access& each, unsigned ticks) {
  group_ = {true,       names_plain_address(each), each.stores, each.base, each.index,
            each.scale, each.displacement,         ticks};
}

void Translator::check_beside(const Access& each, AccessInfo info, unsigned ticks) {
  if (each.stores && !group_.writes) {
    emit_data_address(hot_, each);
    hot_.subtract(kR10, in_core_at(kR11, passing_of(each)));
    group_.writes = true;
  } else if (int64_t away = each.displacement - group_.displacement; away != 0) {
    hot_.address(kR10, {kR10, kNoReg, 1, static_cast<int32_t>(away), false});
  }
  hot_.compare(kR10, static_cast<uint8_t>(plan_.line_bytes - info.bytes()));
  Emitter::land(hot_.jump_if(Condition::kAbove), cold_.here());
  stamp(cold_, group_.ticks);
  uint8_t* fails = filter(cold_, each, info);
  cold_.jump_to(hot_.here());
  call_where(fails, each, info);
  group_.displacement = each.displacement;
  group_.ticks = ticks;
  if (!may_group(false)) close_group();
}

void Translator::close_group() {
  if (!group_.open) return;
  stamp(hot_, group_.ticks);
  group_ = {};
}

// Updates the group after the step's instruction has run.
void Translator::follow_group(const Step& each) {
  if (!group_.open || !group_.beside) return;
  const auto is_written = [&](uint8_t reg) {
    return reg != kNoReg && (each.instruction.registers_written >> reg & 1) != 0;
  };
  if (is_written(group_.index)) group_.beside = false;
  if (!is_written(group_.base)) return;
  int64_t moved = group_.base == kSp ? stack_move(each.instruction) : 0;
  group_.displacement -= moved;
  if (moved == 0) group_.beside = false;
}

}  // namespace hm::soft::direct
