// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/translate/touch_plan.h"

#include "pmu/soft/direct/translate/plain_address.h"

namespace hm::soft::direct {

void TouchPlan::add(const Access& access, int64_t displacement, Owner owner) {
  for (Group& each : groups_) {
    if (!each.open || each.base != access.base || each.index != access.index || each.scale != access.scale)
      continue;
    int64_t low = displacement < each.low ? displacement : each.low;
    int64_t high = displacement > each.high ? displacement : each.high;
    if (high - low >= line_bytes_) break;
    bool alone = each.low == each.high;
    if (displacement < each.low) {
      if (!alone && !each.lowest_stays) cover(each.lowest);
      each.lowest = owner;
      each.lowest_stays = false;
    } else if (displacement > each.high) {
      if (!alone && !each.highest_stays) cover(each.highest);
      each.highest = owner;
      each.highest_stays = false;
    } else {
      cover(owner);
    }
    each.low = low;
    each.high = high;
    return;
  }
  groups_[next_++ % kGroups] = {true,         false,        false,        access.base, access.index,
                                access.scale, displacement, displacement, owner,       owner};
}

// Called behind a conditional jump, where the block may be left.
void TouchPlan::may_be_left() {
  for (Group& each : groups_) each.lowest_stays = each.highest_stays = true;
}

// Updates the groups after the instruction has run.
void TouchPlan::follow(const Instruction& instruction) {
  const auto is_written = [&](uint8_t reg) {
    return reg != kNoReg && (instruction.registers_written >> reg & 1) != 0;
  };
  int64_t moved = stack_move(instruction);
  stack_moved_ += moved;
  for (Group& each : groups_) {
    if (is_written(each.index) || (is_written(each.base) && (each.base != kSp || moved == 0)))
      each.open = false;
  }
}

void TouchPlan::make(const Superblock& block, uint32_t line_bytes) {
  *this = {};
  line_bytes_ = line_bytes;
  for (unsigned i = 0; i < block.count; ++i) {
    const Instruction& instruction = block.steps[i].instruction;
    bool once = instruction.repeat == Repeat::kNone || instruction.string_operation == StringOperation::kNone;
    for (unsigned j = 0; once && j < instruction.access_count; ++j) {
      const Access& access = instruction.accesses[j];
      if (access.masked || !names_plain_address(access) || access.bytes == 0 || access.bytes > line_bytes)
        continue;
      int64_t displacement = access.displacement + (access.base == kSp ? stack_moved_ : 0);
      add(access, displacement, {static_cast<uint8_t>(i), static_cast<uint8_t>(j)});
    }
    if (instruction.flow == Flow::kCall || instruction.flow == Flow::kIndirectCall)
      add(kPushOfReturnAddress, kPushOfReturnAddress.displacement + stack_moved_,
          {static_cast<uint8_t>(i), kReturnAddress});
    follow(instruction);
    if (instruction.flow != Flow::kNone && instruction.flow != Flow::kJump) may_be_left();
  }
}

}  // namespace hm::soft::direct
