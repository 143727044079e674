// SPDX-License-Identifier: MIT
// Copies that leave before a sample of a frequent event may be due (core/frequent_events.h).
#include "pmu/soft/direct/translate/translator.h"

namespace hm::soft::direct {
namespace {

// Returns the largest number of slots that the block can have, if each repeated instruction runs once.
uint32_t max_slots_of(const Superblock& block) {
  uint32_t slots = 0;
  for (unsigned i = 0; i < block.count; ++i) {
    const Instruction& instruction = block.steps[i].instruction;
    constexpr uint32_t kOfItselfAndReturnAddress = 2, kHeaderOfState = 1;
    slots += kOfItselfAndReturnAddress + kHeaderOfState;
    for (unsigned j = 0; j < instruction.access_count; ++j) {
      const Access& access = instruction.accesses[j];
      uint32_t each = access.count != 0 ? access.count : 1;
      slots += (access.loads ? each : 0) + (access.stores ? each : 0);
    }
  }
  return slots;
}

}  // namespace

// Called before the block's first instruction.
void Translator::look_for_sample(const Step& first) {
  if (!plan_.samples_ahead) return;
  max_slots_ = max_slots_of(*block_);
  if (first.flags_live) save_flags(hot_);
  hot_.address(kR10, {kR15, kNoReg, 1, static_cast<int32_t>(2 * max_slots_), false});
  hot_.compare(kR10, in_core(offsetof(Core, sample_tick)));
  Emitter::land(hot_.jump_if(Condition::kAbove), cold_.here());
  if (first.flags_live) restore_flags(hot_);
  leave_for_sample(first.address, max_slots_, first.flags_live);
}

// Called before a repeated string instruction. The rest of the block has max_slots_ slots at most; the
// repetitions have three each, so six ticks.
void Translator::look_for_sample_in_string(const Step& each) {
  constexpr uint8_t kLogTicksOfRepetition = 3;
  constexpr uint32_t kAnyNumber = INT32_MAX;
  if (each.flags_live) save_flags(hot_);
  hot_.load(kR10, in_core(offsetof(Core, sample_tick)));
  hot_.address(kR11, {kR15, kNoReg, 1, static_cast<int32_t>(2 * max_slots_), false});
  hot_.subtract(kR10, kR11);
  Emitter::land(hot_.jump_if(Condition::kBelow), cold_.here());
  hot_.shift_right(kR10, kLogTicksOfRepetition);
  hot_.compare(kR10, kCx);
  Emitter::land(hot_.jump_if(Condition::kBelow), cold_.here());
  if (each.flags_live) restore_flags(hot_);
  --progress_.slots;  // the instruction itself has not run
  leave_for_sample(each.address, kAnyNumber, each.flags_live);
  ++progress_.slots;
}

// Emits cold code that leaves before the instruction at `address`. `slots`: the most that the copy could have
// run from there.
void Translator::leave_for_sample(uint64_t address, uint32_t slots, bool flags_live) {
  if (flags_live) restore_flags(cold_);
  settle_aside(cold_, flags_live);
  cold_.store32(in_core(offsetof(Core, slots_ahead)), slots);
  emit_constant(cold_, kR10, address);
  cold_.store(in_core(offsetof(Core, context.ip)), kR10);
  leave(cold_, kExitSample);
}

}  // namespace hm::soft::direct
